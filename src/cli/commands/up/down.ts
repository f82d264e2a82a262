import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { findUpFile } from '../../../control/up/read-up-file.js';
import { goesOn } from '../../../control/up/start-plan.js';
import { Failure } from '../../../model/failure.js';
import { printable } from '../../../text/printable.js';
import { type Call, type JsonFlag, withDaemon } from '../../shared/call.js';
import { readDuration } from '../../shared/read-duration.js';
import { graceMsMax } from '../kill/flags.js';
import { tellKilled } from '../kill/kill.js';

export interface DownFlags extends JsonFlag {
  grace?: string | undefined;
}

/** The task of all runs of a file. */
export function taskOf(file: string): string {
  const digest = createHash('sha256').update(file).digest('hex').slice(0, 6);
  return `up:${path.basename(path.dirname(file)).slice(0, 40)}:${digest}`;
}

/** Stops all runs of a task, and those that would be started again. */
export async function stopTask(call: Call, task: string, graceS?: number) {
  const input = { task, ...(graceS !== undefined && { graceS }) };
  const { runs } = await call('killAll', input);
  // A run that was being started when the others were stopped, and those that could not be stopped the first time.
  const late = await call('killAll', input);
  return { task, runs: [...runs, ...late.runs], errors: late.errors };
}

/** A file that is gone can still be stopped; a name that was never a file is an error. */
async function checkFile(call: Call, file: string): Promise<void> {
  if (fs.existsSync(file)) return;
  const { runs } = await call('list', { task: taskOf(file) });
  if (runs.length > 0) return;
  throw new Failure(
    'bad-input',
    `there is no file ${file}, and nothing was started from one of this name`,
    await upHint(call),
  );
}

/** Names what is up, by task. */
async function upHint(call: Call): Promise<string> {
  const { runs } = await call('list', { tag: 'up' });
  const labels = new Map<string, string[]>();
  for (const { task, label } of runs.filter(goesOn)) {
    if (task !== null) labels.set(task, [...(labels.get(task) ?? []), printable(label)]);
  }
  const [first] = labels.keys();
  if (first === undefined) return 'nothing is up; see all runs: unstuck ps';
  const tasks = [...labels].map(([task, names]) => `${printable(task)} (${names.join(', ')})`);
  return `these are up: ${tasks.join('; ')}; to stop one: unstuck kill --task ${printable(first)}`;
}

export async function down(call: Call, given: string | undefined, flags: DownFlags): Promise<void> {
  const file = findUpFile(given, process.cwd());
  const graceS =
    flags.grace === undefined ? undefined : readDuration('--grace', flags.grace, 0, graceMsMax) / 1000;
  await checkFile(call, file);
  const stopped = await stopTask(call, taskOf(file), graceS);
  tellKilled(stopped, flags);
}

/** `unstuck down`. */
export const runDown = (file: string | undefined, flags: DownFlags) =>
  withDaemon(flags, (call) => down(call, file, flags));

import { createHash } from 'node:crypto';
import path from 'node:path';
import { findUpFile } from '../../../control/up/read-up-file.js';
import { note, printJson, say } from '../../output/print.js';
import { type Call, type JsonFlag, withDaemon } from '../../shared/call.js';
import { readDuration } from '../../shared/read-duration.js';
import { graceMsMax } from '../kill/flags.js';
import { killLine } from '../kill/render.js';

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
  // A run that was being started when the others were stopped.
  const late = await call('killAll', input);
  return { task, runs: [...runs, ...late.runs] };
}

export async function down(call: Call, given: string | undefined, flags: DownFlags): Promise<void> {
  const file = findUpFile(given, process.cwd());
  const graceS =
    flags.grace === undefined ? undefined : readDuration('--grace', flags.grace, 0, graceMsMax) / 1000;
  const stopped = await stopTask(call, taskOf(file), graceS);
  if (stopped.runs.some(({ receipt }) => (receipt?.survivors.length ?? 0) > 0)) process.exitCode = 1;
  if (flags.json) return printJson(stopped);
  if (stopped.runs.length === 0) return note('nothing to stop');
  for (const run of stopped.runs) say(killLine(run));
}

/** `unstuck down`. */
export const runDown = (file: string | undefined, flags: DownFlags) =>
  withDaemon(flags, (call) => down(call, file, flags));

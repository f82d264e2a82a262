import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findUpFile, readUpFile } from '../../../control/up/read-up-file.js';
import { goesOn, startPlan, type UpService } from '../../../control/up/start-plan.js';
import { exitWords } from '../../../model/run/run.js';
import { printable } from '../../../text/printable.js';
import { note, printJson } from '../../output/print.js';
import { type Call, type JsonFlag, withDaemon } from '../../shared/call.js';
import { onInterrupt } from '../../shared/on-interrupt.js';
import { shortId } from '../../shared/short-id.js';
import { ownCaller } from '../restart/restart.js';
import { stopTask, taskOf } from './down.js';

export interface UpFlags extends JsonFlag {
  detach?: true | undefined;
  keep?: true | undefined;
}

const pollMs = 500;

const readyWords: Record<UpService['ready'], string> = {
  started: 'is started',
  port: 'is ready: its port is open',
  match: 'is ready: it printed its line',
  exit: 'is done',
};

function printReady({ name, id, ready, wasUp }: UpService): void {
  note(`${name} (${shortId(id)}) ${wasUp ? 'is up already' : readyWords[ready]}`);
}

/** Waits until no run of the task lives or will be started again. Returns the exit code. */
async function untilEnded(
  call: Call,
  { task, started }: { task: string; started: readonly string[] },
  signal: AbortSignal,
): Promise<number> {
  let reported: Set<string> | null = null;
  for (;;) {
    const { runs } = await call('list', { task }, { signal });
    const newest = new Map(runs.map((run) => [run.label, run]));
    // Runs of an earlier `up` have ended before.
    reported ??= new Set(
      runs.filter(({ id, status }) => status !== 'running' && !started.includes(id)).map(({ id }) => id),
    );
    for (const { id, label, status, exit } of runs) {
      if (status === 'running' || reported.has(id)) continue;
      reported.add(id);
      note(`${printable(label)} (${shortId(id)}) has ended: ${exitWords(exit)}`);
    }
    if (!runs.some(goesOn)) return [...newest.values()].every(({ exit }) => exit?.code === 0) ? 0 : 1;
    await delay(pollMs, undefined, { signal });
  }
}

export async function up(call: Call, given: string | undefined, flags: UpFlags): Promise<void> {
  const file = findUpFile(given, process.cwd());
  const plan = readUpFile(file);
  const task = taskOf(file);
  const stop = new AbortController();
  const started: string[] = [];
  let interrupted = 0;
  const release = onInterrupt((code) => {
    interrupted = code;
    stop.abort();
  });
  try {
    const services = await startPlan(plan, {
      ...{ call, task, dir: path.dirname(file), caller: ownCaller(), signal: stop.signal },
      started: (id) => {
        started.push(id);
      },
      ready: (service) => {
        if (!flags.json) printReady(service);
      },
    });
    if (flags.json) return printJson({ task, file, services });
    note(`all are ready; see them: unstuck ps --task ${task}`);
    if (flags.detach) return;
    process.exitCode = await untilEnded(call, { task, started }, stop.signal);
  } catch (error) {
    if (interrupted !== 0) {
      note('stopping all');
      await stopTask(call, task);
      process.exitCode = interrupted;
      return;
    }
    // What was up before stays up.
    if (!flags.keep) await Promise.all(started.map((id) => call('kill', { id })));
    throw error;
  } finally {
    release();
  }
}

/** `unstuck up`. */
export const runUp = (file: string | undefined, flags: UpFlags) =>
  withDaemon(flags, (call) => up(call, file, flags));

import type { OperationOutput } from '../../../control/operations/table.js';
import { endNotRecorded, exitWords } from '../../../model/run/run.js';
import { formatDuration } from '../../../text/duration.js';
import { printable } from '../../../text/printable.js';
import { canDraw } from '../../output/color.js';
import { note, noteLost, printJson } from '../../output/print.js';
import { type Call, withDaemon } from '../../shared/call.js';
import { onInterrupt } from '../../shared/on-interrupt.js';
import { runName, shortId } from '../../shared/short-id.js';
import { printOutput } from '../poll/poll.js';
import { codeOf } from './await-exit.js';
import { type WaitFlags, type WaitPlan, waitPlan } from './input.js';

type Waited = OperationOutput<'wait'>;

/** Longest single wait of the operation. */
export const onceMs = 180_000;
/** Characters kept at the beginning and at the end of the output of repeated waits. */
const keptCharacters = 1000;

/** Joins two answers. */
export function joinWaits(before: Waited | null, next: Waited): Waited {
  if (before === null) return next;
  return { ...next, waitedS: before.waitedS + next.waitedS, ...joinOutput(before, next) };
}

type Output = Pick<Waited, 'output' | 'omitted'>;

/** The beginning and the end of what two answers contain. */
export function joinOutput(before: Output, next: Output): Output {
  const output = before.output + next.output;
  const surplus = Math.max(0, output.length - 2 * keptCharacters);
  return {
    output: surplus === 0 ? output : output.slice(0, keptCharacters) + output.slice(-keptCharacters),
    omitted: before.omitted + next.omitted + surplus,
  };
}

/** Repeats the wait until a condition is met or the time is over. */
export async function waitOut(
  call: Call,
  { input, timeoutMs }: WaitPlan,
  signal: AbortSignal,
): Promise<Waited> {
  const endMs = performance.now() + timeoutMs;
  let waited: Waited | null = null;
  for (;;) {
    const leftMs = Math.max(0, endMs - performance.now());
    // A label may mean another run by now.
    const next: Waited = await call(
      'wait',
      { ...input, id: waited?.id ?? input.id, timeoutS: Math.min(leftMs, onceMs) / 1000 },
      { signal },
    );
    // The limit of a single wait is not reported: longer limits are handled here.
    waited = { ...joinWaits(waited, next), clamped: false };
    if (next.status !== 'timeout' || performance.now() >= endMs) return waited;
  }
}

/** 0 only for a named condition, or a run that ended with 0. */
export function waitExitCode(output: Pick<Waited, 'status' | 'exit'>, asked: ReadonlySet<string>): number {
  if (output.status === 'exited') return codeOf(output);
  if (output.status === 'lost') return 125;
  if (output.status === 'timeout') return 124;
  return asked.has(output.status) ? 0 : 121;
}

/** One line: what ended the wait. `shown`: the run as the line names it. */
export function waitLine(output: Waited, shown = shortId(output.id)): string {
  const name = shortId(output.id);
  const why = printable(output.why);
  switch (output.status) {
    case 'exited':
      return `${shown} has ended: ${exitWords(output.exit)}`;
    case 'lost':
      return `${shown} is lost: ${endNotRecorded}`;
    case 'timeout':
      return `${shown} is still running after ${formatDuration(output.waitedS * 1000)}, ${output.health}: ${why}`;
    case 'needs-input':
      return `${shown} needs input: ${why}\nnext: unstuck submit ${name} ANSWER, or unstuck attach ${name}`;
    case 'stuck':
      return `${shown} appears stuck (${output.health}): ${why}\nnext: unstuck why ${name}`;
    case 'match':
      return `${shown} printed: ${printable(output.line ?? '')}`;
    case 'port':
      return `${shown} listens on port ${output.port ?? 'unknown'}`;
    case 'quiet':
      return `${shown} has gone quiet: ${why}`;
  }
}

export async function wait(call: Call, id: string, flags: WaitFlags): Promise<void> {
  const plan = waitPlan(id, flags);
  const stop = new AbortController();
  let interrupted = 0;
  const hasStatus = canDraw(process.stderr) && !flags.json;
  const release = onInterrupt(
    (code) => {
      interrupted = code;
      stop.abort();
    },
    // Its line is erased.
    hasStatus ? { newLine: false } : {},
  );
  const status = hasStatus ? await import('./status.js') : null;
  const line = status?.showWait(call, id);
  try {
    const output = await waitOut(call, plan, stop.signal);
    line?.end();
    process.exitCode = waitExitCode(output, plan.asked);
    if (flags.json) return printJson(output);
    printOutput(output, flags.raw);
    note(waitLine(output, runName(id, output.id)));
    noteLost(output);
  } catch (error) {
    line?.end();
    if (interrupted === 0) throw error;
    process.exitCode = interrupted;
    note(`stopped waiting; the run goes on. To wait again: unstuck wait ${id}`);
  } finally {
    release();
  }
}

/** `unstuck wait`. */
export const runWait = (id: string, flags: WaitFlags) => withDaemon(flags, (call) => wait(call, id, flags));

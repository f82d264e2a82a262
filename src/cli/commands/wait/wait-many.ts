import type { OperationInput, OperationOutput } from '../../../control/operations/table.js';
import { note, noteLost, printJson } from '../../output/print.js';
import { type Call, withDaemon } from '../../shared/call.js';
import { onInterrupt } from '../../shared/on-interrupt.js';
import { labelledName } from '../../shared/short-id.js';
import { printOutput } from '../poll/poll.js';
import { type WaitFlags, waitPlan } from './input.js';
import { joinOutput, onceMs, waitExitCode, waitLine } from './wait.js';

type Waited = OperationOutput<'waitMany'>;
type Result = Waited['results'][number];

interface Several {
  input: Omit<OperationInput<'waitMany'>, 'mode'>;
  mode: 'all' | 'any';
  /** Infinity: no limit. */
  timeoutMs: number;
  /** Called when the wait for one run has ended. */
  ended(result: Result, waitedS: number): void;
}

const isOpen = ({ status }: Result) => status === 'timeout' || status === 'running';

/** Waits for one run after the other as they end, until all or the first have ended, or the time is over. */
export async function waitOutMany(call: Call, several: Several, signal: AbortSignal): Promise<Waited> {
  const { input, mode, timeoutMs, ended } = several;
  const endMs = performance.now() + timeoutMs;
  const byId = new Map<string, Result>();
  let open = input.ids;
  for (let waitedS = 0; ; ) {
    const timeoutS = Math.min(Math.max(0, endMs - performance.now()), onceMs) / 1000;
    const answer = await call('waitMany', { ...input, ids: open, mode: 'any', timeoutS }, { signal });
    waitedS += answer.waitedS;
    for (const next of answer.results) {
      const before = byId.get(next.id);
      const result = before === undefined ? next : { ...next, ...joinOutput(before, next) };
      byId.set(result.id, result);
      if (!isOpen(result)) ended(result, waitedS);
    }
    const results = [...byId.values()];
    open = results.filter(isOpen).map(({ id }) => id);
    const isDone = mode === 'all' ? open.length === 0 : open.length < results.length;
    if (isDone) return { status: 'done', results, waitedS, clamped: false };
    if (performance.now() >= endMs) {
      const late = results.map((one) => (isOpen(one) ? { ...one, status: 'timeout' as const } : one));
      return { status: 'timeout', results: late, waitedS, clamped: false };
    }
  }
}

/** 124 while a run goes on; otherwise the first code that is not 0, or that of the first run. */
export function manyExitCode(waited: Waited, asked: ReadonlySet<string>): number {
  if (waited.status === 'timeout') return 124;
  const codes = waited.results.flatMap(({ status, ...rest }) =>
    status === 'running' ? [] : [waitExitCode({ status, ...rest }, asked)],
  );
  return codes.find((code) => code !== 0) ?? 0;
}

function print(result: Result, waitedS: number, raw: true | undefined): void {
  if (result.status === 'running') return;
  printOutput(result, raw);
  const name = labelledName(result.label, result.id);
  note(waitLine({ ...result, status: result.status, waitedS, clamped: false }, name));
  noteLost(result);
}

/** `unstuck wait` for several runs. */
export async function waitForMany(call: Call, ids: readonly string[], flags: WaitFlags): Promise<void> {
  const { input, asked, timeoutMs } = waitPlan('', flags);
  const { id: _, ...conditions } = input;
  const stop = new AbortController();
  let interrupted = 0;
  const release = onInterrupt((code) => {
    interrupted = code;
    stop.abort();
  });
  const ended = (result: Result, waitedS: number) => {
    if (!flags.json) print(result, waitedS, flags.raw);
  };
  const mode: Several['mode'] = flags.any ? 'any' : 'all';
  try {
    const several = { input: { ...conditions, ids: [...ids] }, mode, timeoutMs, ended };
    const waited = await waitOutMany(call, several, stop.signal);
    process.exitCode = manyExitCode(waited, asked);
    if (flags.json) return printJson(waited);
    for (const result of waited.results)
      if (result.status === 'timeout') print(result, waited.waitedS, flags.raw);
  } catch (error) {
    if (interrupted === 0) throw error;
    process.exitCode = interrupted;
    note(`stopped waiting; the runs go on. To wait again: unstuck wait ${ids.join(' ')}`);
  } finally {
    release();
  }
}

export const runWaitMany = (ids: readonly string[], flags: WaitFlags) =>
  withDaemon(flags, (call) => waitForMany(call, ids, flags));

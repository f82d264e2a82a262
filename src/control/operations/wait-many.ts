import * as z from 'zod/mini';
import type { BackgroundRun } from '../../registry/background-run.js';
import type { FoundRun } from '../../registry/find-runs.js';
import { RunWaiter, type WaitRequest, type Woken } from '../../registry/run-waiter.js';
import { runId, short } from './shared/fields.js';
import { operation } from './shared/operation.js';
import { findRun } from './shared/own-run.js';
import { waitEnds, waited, waitedFor, waitedRun, waitInput, wokenRun } from './wait.js';

const runsMax = 100;

export const waitMany = operation({
  name: 'waitMany',
  summary: 'wait for all of several runs, or for the first of them',
  input: z.strictObject({
    ids: z.array(runId).check(z.minLength(1), z.maxLength(runsMax)),
    /** Only if the runs belong to this owner or have none; default: any owner. */
    owner: z.optional(short),
    /** all: until the wait for each of them has ended; any: for one of them. */
    mode: z._default(z.enum(['all', 'any']), 'all'),
    ...waitInput,
  }),
  output: z.object({
    /** timeout: the time was over first. */
    status: z.enum(['done', 'timeout']),
    /** In the order of `ids`, each run once. */
    results: z.array(
      z.object({
        ...waitedRun,
        label: z.string(),
        /** As in `wait`; running: with `any`, the wait for another one has ended. */
        status: z.enum([...waitEnds, 'running']),
      }),
    ),
    ...waited,
  }),
  handle: async ({ ids, owner, mode, reader, plain, ...request }, context) => {
    const { requestId } = context;
    const found = new Map<BackgroundRun, FoundRun>();
    for (const id of ids) {
      const one = findRun(context, { id, owner });
      found.set(one.run, one);
    }
    const runs = [...found.keys()];
    const fromOf = (run: BackgroundRun) => run.log.cursors.placeOf(reader, requestId);
    const { woken, waitedMs } = await waitForRuns(runs, request, { mode, fromOf, signal: context.signal });
    const isLate = (one: Woken | null) => one === null || one.status === 'timeout';
    const isTimeout = mode === 'all' ? woken.some(isLate) : woken.every(isLate);
    return {
      status: isTimeout ? ('timeout' as const) : ('done' as const),
      results: runs.map((run, index) => {
        const ended = woken[index] ?? null;
        const { label } = run.record;
        const { ambiguous } = found.get(run) ?? {};
        const how = { reader, requestId, plain };
        const news =
          ended === null
            ? { ...run.state, status: 'running' as const, output: '', omitted: 0 }
            : wokenRun(run, ended, how);
        return { ...news, label, ...(ambiguous && { ambiguous }) };
      }),
      ...waitedFor(waitedMs, request.timeoutS),
    };
  },
});

interface Together {
  mode: 'all' | 'any';
  fromOf(run: BackgroundRun): number;
  signal: AbortSignal;
}

/** What ended the wait for each run; null: with `any`, another one was first. */
async function waitForRuns(
  runs: readonly BackgroundRun[],
  request: WaitRequest,
  { mode, fromOf, signal }: Together,
): Promise<{ woken: (Woken | null)[]; waitedMs: number }> {
  const startedMs = performance.now();
  const enough = new AbortController();
  const either = AbortSignal.any([signal, enough.signal]);
  const woken: (Woken | null)[] = runs.map(() => null);
  await Promise.all(
    runs.map(async (run, index) => {
      try {
        woken[index] = await new RunWaiter(run, request, fromOf(run)).wait(either);
        if (mode === 'any' && woken[index]?.status !== 'timeout') enough.abort();
      } catch (error) {
        if (!enough.signal.aborted || signal.aborted) throw error;
      }
    }),
  ).finally(() => enough.abort());
  return { woken, waitedMs: performance.now() - startedMs };
}

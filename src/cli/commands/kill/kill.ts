import type { OperationOutput } from '../../../control/operations/table.js';
import { Failure } from '../../../model/failure.js';
import type { Receipt } from '../../../model/run/receipt.js';
import { note, printJson, say } from '../../output/print.js';
import { type Call, withDaemon } from '../../shared/call.js';
import { readDuration } from '../../shared/read-duration.js';
import { checkOrphanFlags, checkWhich, graceMsMax, type KillFlags } from './flags.js';
import { killLine } from './render.js';

type Killed = OperationOutput<'kill'>;

const hasSurvivors = ({ receipt }: Killed) => ((receipt as Receipt | null)?.survivors?.length ?? 0) > 0;

function report(runs: readonly Killed[]): void {
  for (const run of runs) say(killLine(run));
}

function graceOf({ grace }: KillFlags): { graceS?: number } {
  return grace === undefined ? {} : { graceS: readDuration('--grace', grace, 0, graceMsMax) / 1000 };
}

async function killMany(call: Call, flags: KillFlags): Promise<void> {
  const { task, owner } = flags;
  const output = await call('killAll', {
    ...(task !== undefined && { task }),
    ...(owner !== undefined && { owner }),
    ...graceOf(flags),
  });
  if (output.runs.some(hasSurvivors)) process.exitCode = 1;
  if (flags.json) return printJson(output);
  if (output.runs.length === 0) return note('nothing to stop');
  report(output.runs);
}

async function killEach(call: Call, ids: readonly string[], flags: KillFlags): Promise<void> {
  const results = await Promise.allSettled(ids.map((id) => call('kill', { id, ...graceOf(flags) })));
  const runs = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failures = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  if (runs.some(hasSurvivors)) process.exitCode = 1;
  if (flags.json && ids.length > 1) return printJson({ runs, errors: failures.map(asError) });
  if (flags.json) for (const run of runs) printJson(run);
  else report(runs);
  // The other runs are stopped all the same; errors are printed last.
  for (const failure of failures.slice(1)) note(`unstuck: ${asError(failure).message}`);
  if (failures.length > 0) throw failures[0];
}

function asError(failure: unknown): { code: string; message: string; hint: string } {
  if (!(failure instanceof Failure)) throw failure;
  process.exitCode = failure.exitCode;
  const { code, message, hint } = failure;
  return { code, message, hint };
}

export async function kill(call: Call, ids: readonly string[], flags: KillFlags): Promise<void> {
  checkWhich(ids, flags);
  await (ids.length === 0 ? killMany(call, flags) : killEach(call, [...new Set(ids)], flags));
}

/** `unstuck kill`. */
export const runKill = (ids: readonly string[], flags: KillFlags) =>
  withDaemon(flags, async (call) => {
    checkOrphanFlags(ids, flags);
    if (flags.orphans === undefined && flags.port === undefined) return kill(call, ids, flags);
    const { stopOrphans } = await import('../orphans/kill.js');
    await stopOrphans(flags);
  });

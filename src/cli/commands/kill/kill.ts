import type { OperationOutput } from '../../../control/operations/table.js';
import { Failure } from '../../../model/failure.js';
import type { Receipt } from '../../../model/run/receipt.js';
import { note, printJson, say } from '../../output/print.js';
import { type Call, type JsonFlag, withDaemon } from '../../shared/call.js';
import { eachRun, throwAfterOthers } from '../../shared/each-run.js';
import { readDuration } from '../../shared/read-duration.js';
import { checkOrphanFlags, checkWhich, graceMsMax, type KillFlags } from './flags.js';
import { killLine } from './render.js';

type Killed = OperationOutput<'killAll'>['runs'][number];

const hasSurvivors = ({ receipt }: Killed) => ((receipt as Receipt | null)?.survivors?.length ?? 0) > 0;

function graceOf({ grace }: KillFlags): { graceS?: number } {
  return grace === undefined ? {} : { graceS: readDuration('--grace', grace, 0, graceMsMax) / 1000 };
}

async function killMany(call: Call, flags: KillFlags): Promise<void> {
  const { task, owner, tag } = flags;
  const output = await call('killAll', {
    ...(task !== undefined && { task }),
    ...(owner !== undefined && { owner }),
    ...(tag !== undefined && { tag }),
    ...graceOf(flags),
  });
  tellKilled(output, flags);
}

/** Prints what became of several runs. The exit code is that of the first that could not be stopped. */
export function tellKilled(output: OperationOutput<'killAll'>, { json }: JsonFlag): void {
  const failures = output.errors.map(({ code, message, hint }) => new Failure(code, message, hint));
  if (output.runs.some(hasSurvivors)) process.exitCode = 1;
  if (json) {
    if (failures[0] !== undefined) process.exitCode = failures[0].exitCode;
    printJson(output);
    return;
  }
  for (const run of output.runs) say(killLine(run));
  throwAfterOthers(failures);
  if (output.runs.length === 0) note('nothing to stop');
}

async function killEach(call: Call, ids: readonly string[], flags: KillFlags): Promise<void> {
  await eachRun(ids, flags, {
    act: async (id) => {
      const run = await call('kill', { id, ...graceOf(flags) });
      if (hasSurvivors(run)) process.exitCode = 1;
      return run;
    },
    print: (run) => say(killLine(run)),
  });
}

export async function kill(call: Call, ids: readonly string[], flags: KillFlags): Promise<void> {
  checkWhich(ids, flags);
  await (ids.length === 0 ? killMany(call, flags) : killEach(call, ids, flags));
}

/** `unstuck kill`. */
export const runKill = (ids: readonly string[], flags: KillFlags) =>
  withDaemon(flags, async (call) => {
    checkOrphanFlags(ids, flags);
    if (flags.orphans === undefined && flags.port === undefined) return kill(call, ids, flags);
    const { stopOrphans } = await import('../orphans/kill.js');
    await stopOrphans(flags);
  });

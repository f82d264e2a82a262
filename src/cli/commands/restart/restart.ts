import { callerOpenFiles } from '../../../control/caller-limit.js';
import type { OperationInput } from '../../../control/operations/table.js';
import { ownUmask } from '../../../control/own-umask.js';
import { printable } from '../../../text/printable.js';
import { note, say } from '../../output/print.js';
import { type Call, type JsonFlag, withDaemon } from '../../shared/call.js';
import { eachRun } from '../../shared/each-run.js';
import { readDuration } from '../../shared/read-duration.js';
import { labelledName } from '../../shared/short-id.js';
import { graceMsMax } from '../kill/flags.js';
import { killLine } from '../kill/render.js';
import { defined } from '../start/input.js';

export interface RestartFlags extends JsonFlag {
  grace?: string | undefined;
}

type Caller = Pick<OperationInput<'rerun'>, 'inherit' | 'umask' | 'openFiles'>;

export function ownCaller(): Caller {
  const [umask, openFiles] = [ownUmask(), callerOpenFiles()];
  return {
    inherit: defined(process.env),
    ...(umask !== undefined && { umask }),
    ...(openFiles !== undefined && { openFiles }),
  };
}

interface Started {
  id: string;
  label: string;
  pid: number | null;
  warnings: string[];
}

function printStarted({ id, label, pid, warnings }: Started): void {
  say(id);
  for (const warning of warnings) note(`warning: ${printable(warning)}`);
  note(`started ${labelledName(label, id)}${pid === null ? '' : `, pid ${pid}`}`);
}

export async function restart(
  call: Call,
  ids: readonly string[],
  flags: RestartFlags,
  caller: Caller = ownCaller(),
): Promise<void> {
  const { grace } = flags;
  const graceS = grace === undefined ? {} : { graceS: readDuration('--grace', grace, 0, graceMsMax) / 1000 };
  await eachRun(ids, flags, {
    act: (id) => call('restart', { id, ...graceS, ...caller }),
    print: (output) => {
      note(killLine(output.replaced));
      printStarted(output);
    },
  });
}

export async function rerun(
  call: Call,
  ids: readonly string[],
  flags: JsonFlag,
  caller: Caller = ownCaller(),
): Promise<void> {
  await eachRun(ids, flags, { act: (id) => call('rerun', { id, ...caller }), print: printStarted });
}

/** `unstuck restart`. */
export const runRestart = (ids: readonly string[], flags: RestartFlags) =>
  withDaemon(flags, (call) => restart(call, ids, flags));

/** `unstuck rerun`. */
export const runRerun = (ids: readonly string[], flags: JsonFlag) =>
  withDaemon(flags, (call) => rerun(call, ids, flags));

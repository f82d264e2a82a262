import fs from 'node:fs';
import path from 'node:path';
import { currentDirectory } from '../../../config/current-directory.js';
import { takeCaller } from '../../../control/caller.js';
import { callerOpenFiles } from '../../../control/caller-limit.js';
import type { OperationInput, OperationOutput } from '../../../control/operations/table.js';
import { ownUmask } from '../../../control/own-umask.js';
import { printable } from '../../../text/printable.js';
import { note, printJson, say } from '../../output/print.js';
import { type Call, withDaemon } from '../../shared/call.js';
import { shortId } from '../../shared/short-id.js';
import { type StartContext, type StartFlags, startInput } from './input.js';

/** The shortest id that is unique among all runs. */
function uniqueName({ id, log }: OperationOutput<'start'>): string {
  try {
    return shortId(id, fs.readdirSync(path.dirname(path.dirname(log))));
  } catch {
    return shortId(id);
  }
}

/** The lines besides the id: label, pid and next steps; `tells`: notices were requested. */
export function startedLines(output: OperationOutput<'start'>, name: string, tells = false): string[] {
  const { label, pid, status } = output;
  const source = `${printable(label)}${pid === null ? '' : `, pid ${pid}`}`;
  if (status !== 'running') {
    return [`started ${source}; it has ended`, `next: unstuck poll ${name}    how it ended, and its output`];
  }
  return [
    `started ${source}`,
    `next: unstuck log ${name} -f    follow its output`,
    `      unstuck wait ${name}      until it ends, needs input or is stuck`,
    ...(tells ? [`      unstuck notices -f${' '.repeat(name.length + 1)}follow the notices of runs`] : []),
  ];
}

export async function start(
  call: Call,
  argv: readonly string[],
  flags: StartFlags,
  context: StartContext,
): Promise<void> {
  const input = startInput(argv, flags, context);
  const { host } = flags;
  const output = host === undefined ? await call('start', input) : await startThere(host, input);
  if (flags.json) return printJson(output);
  say(output.id);
  for (const warning of output.warnings) note(`warning: ${printable(warning)}`);
  for (const line of startedLines(output, uniqueName(output), input.notify !== undefined)) note(line);
}

async function startThere(host: string, input: OperationInput<'start'>): Promise<OperationOutput<'start'>> {
  const { startOnHost } = await import('../../../control/fleet/start.js');
  return await startOnHost(host, input);
}

/** `unstuck start`. */
export const runStart = (argv: readonly string[], flags: StartFlags, options: Record<string, unknown>) => {
  // Before the daemon may be started, which must not get the note of the launcher.
  const caller = takeCaller(argv);
  return withDaemon(flags, (call) =>
    start(call, argv, flags, {
      cwd: currentDirectory(),
      env: caller.env,
      inherited: caller.inherited,
      umask: ownUmask(),
      openFiles: callerOpenFiles(),
      options,
    }),
  );
};

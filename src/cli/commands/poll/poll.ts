import type { OperationOutput } from '../../../control/operations/table.js';
import { printable } from '../../../text/printable.js';
import { formatStatus } from '../../output/format-status.js';
import { note, noteLost, printJson } from '../../output/print.js';
import { forOutput } from '../../output/terminal-filter.js';
import { type Call, type JsonFlag, withDaemon } from '../../shared/call.js';
import { readWhole } from '../../shared/read-whole.js';
import { runName, shortId } from '../../shared/short-id.js';

export interface PollFlags extends JsonFlag {
  reader?: string | undefined;
  limit?: string | undefined;
  plain?: true | undefined;
  raw?: true | undefined;
}

const charactersMax = 1_000_000;

interface Printed {
  id: string;
  output: string;
  omitted: number;
}

/** Prints output to stdout, made safe for a terminal unless `raw`; reports omitted characters on stderr. */
export function printOutput({ id, output, omitted }: Printed, raw: true | undefined): void {
  const whole = output === '' || output.endsWith('\n') ? output : `${output}\n`;
  if (whole !== '') process.stdout.write(forOutput(whole, raw));
  if (omitted > 0) note(`${omitted} characters omitted in the middle; see: unstuck log ${shortId(id)}`);
}

/** `ab12 is running, healthy: prints`. */
export function pollLine(output: OperationOutput<'poll'>, given = output.id): string {
  const text = printable(formatStatus(output));
  const ended = output.status === 'exited' ? `has ended: ${text}` : text;
  return `${runName(given, output.id)} ${output.status === 'running' ? `is running, ${text}` : ended}`;
}

export async function poll(call: Call, id: string, flags: PollFlags): Promise<void> {
  const { reader, limit } = flags;
  const output = await call('poll', {
    id,
    ...(reader !== undefined && { reader }),
    ...(limit !== undefined && { limit: readWhole('--limit', limit, 0, charactersMax) }),
    ...(flags.plain && { plain: true }),
  });
  if (flags.json) return printJson(output);
  printOutput(output, flags.raw);
  for (const warning of output.warnings ?? []) note(`note: ${warning}`);
  note(pollLine(output, id));
  noteLost(output);
}

/** `unstuck poll`. */
export const runPoll = (id: string, flags: PollFlags) => withDaemon(flags, (call) => poll(call, id, flags));

import type { OperationOutput } from '../../control/operations/table.js';
import { type Call, type JsonFlag, withDaemon } from './call.js';
import { statusWords } from './exit-words.js';
import { note, printJson } from './print.js';
import { readWhole } from './read-whole.js';
import { shortId } from './short-id.js';

export interface PollFlags extends JsonFlag {
  reader?: string | undefined;
  limit?: string | undefined;
  plain?: true | undefined;
}

const charactersMax = 1_000_000;

/** Output as it is on stdout, and what is missing of it on stderr. */
export function printOutput({ id, output, omitted }: { id: string; output: string; omitted: number }): void {
  if (output !== '') process.stdout.write(output.endsWith('\n') ? output : `${output}\n`);
  if (omitted > 0) note(`${omitted} characters are left out of the middle: unstuck log ${shortId(id)}`);
}

/** `ab12 is running, healthy: prints`. */
export function pollLine(output: OperationOutput<'poll'>): string {
  const words = statusWords(output);
  const ended = output.status === 'exited' ? `has ended: ${words}` : words;
  return `${shortId(output.id)} ${output.status === 'running' ? `runs, ${words}` : ended}`;
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
  printOutput(output);
  for (const warning of output.warnings ?? []) note(`note: ${warning}`);
  note(pollLine(output));
}

/** `unstuck poll`. */
export const runPoll = (id: string, flags: PollFlags) => withDaemon(flags, (call) => poll(call, id, flags));

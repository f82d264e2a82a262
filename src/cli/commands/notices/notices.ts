import { noticeFilter, seesAll } from '../../../control/follow-notices.js';
import type { OperationOutput } from '../../../control/operations/table.js';
import { jsonDocument } from '../../output/json-document.js';
import { note, printJson } from '../../output/print.js';
import { type Call, withDaemon } from '../../shared/call.js';
import { readWhole } from '../../shared/read-whole.js';
import { checkTogether, type NoticesFlags } from './flags.js';
import { type NoticesWriter, OwnWriter, shownNotice } from './writer.js';

const limitMax = 1000;
const seqMax = 1e15 - 1;

/** The message when there are no notices. */
function emptyMessage({ task, owner, tag }: NoticesFlags): string {
  const wanted = Object.entries({ task, owner, tag }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} ${value}`],
  );
  return wanted.length === 0
    ? 'no notices; request them when you start a run: unstuck start --notify -- npm test'
    : `no notices with ${wanted.join(' and ')}; list all: unstuck notices`;
}

/** Next steps, printed after the last notice. */
function restLines({ more }: OperationOutput<'notices'>, last: number, flags: NoticesFlags): string[] {
  const { ack, consumer } = flags;
  const again = `unstuck notices${consumer === undefined ? '' : ` --consumer ${consumer}`}`;
  return [
    ...(more > 0 ? [`and ${more} newer notices`] : []),
    ...(!ack && seesAll(flags) ? [`to acknowledge them: ${again} --ack-to ${last}`] : []),
  ];
}

export async function notices(call: Call, flags: NoticesFlags, writer: NoticesWriter): Promise<void> {
  const filter = noticeFilter(flags);
  const output = await call('notices', {
    ...filter,
    ...(flags.limit !== undefined && { limit: readWhole('--limit', flags.limit, 1, limitMax) }),
  });
  const last = output.notices.at(-1);
  await writer.lines(flags.json ? [jsonDocument(output).trimEnd()] : output.notices.flatMap(shownNotice));
  if (flags.bell && output.notices.some(({ repeat }) => !repeat)) writer.ring();
  // Acknowledged after printing, so that an error loses nothing.
  if (flags.ack && last !== undefined) await call('notices', { ...filter, ack: last.seq, limit: 0 });
  if (flags.json) return;
  const rest = last === undefined ? [emptyMessage(flags)] : restLines(output, last.seq, flags);
  for (const line of rest) note(line);
}

async function acknowledge(call: Call, flags: NoticesFlags, text: string): Promise<void> {
  const ack = readWhole('--ack-to', text, 1, seqMax);
  const output = await call('notices', { ...noticeFilter(flags), ack, limit: 0 });
  if (flags.json) return printJson(output);
  // `last` can be lower than `ack`: future notices cannot be acknowledged.
  note(
    `acknowledged up to #${output.last}${output.more > 0 ? `; ${output.more} more: unstuck notices` : ''}`,
  );
}

/** Prints notices, follows them, or only acknowledges. */
export async function noticesCommand(call: Call, flags: NoticesFlags): Promise<void> {
  checkTogether(flags);
  if (flags.ackTo !== undefined) return acknowledge(call, flags, flags.ackTo);
  const writer = new OwnWriter();
  try {
    if (!flags.follow) return await notices(call, flags, writer);
    const { followToTerminal } = await import('./follow.js');
    await followToTerminal(call, flags, writer);
  } catch (error) {
    // A reader that closes early is not an error.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}

/** `unstuck notices`. */
export const runNotices = (flags: NoticesFlags) => withDaemon(flags, (call) => noticesCommand(call, flags));

import { noticeFilter } from '../../control/follow-notices.js';
import type { OperationOutput } from '../../control/operations/table.js';
import { jsonText } from '../../model/json-text.js';
import { type Call, withDaemon } from './call.js';
import { checkTogether, type NoticesFlags } from './notices-flags.js';
import { type NoticesWriter, OwnWriter, shownNotice } from './notices-writer.js';
import { note, printJson } from './print.js';
import { readWhole } from './read-whole.js';

const limitMax = 1000;
const seqMax = 1e15 - 1;

/** What to say when there is nothing to show. */
function nothingToTell({ task, owner }: NoticesFlags): string {
  const wanted = Object.entries({ task, owner }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} ${value}`],
  );
  return wanted.length === 0
    ? 'no notices; a run tells when it is asked to: unstuck start --notify -- npm test'
    : `no notices with ${wanted.join(' and ')}; all of them: unstuck notices`;
}

/** What to type next, after the last one. */
function restLines({ more }: OperationOutput<'notices'>, last: number, flags: NoticesFlags): string[] {
  const { ack, consumer, task, owner } = flags;
  const again = `unstuck notices${consumer === undefined ? '' : ` --consumer ${consumer}`}`;
  const seesAll = consumer !== undefined || (task === undefined && owner === undefined);
  return [
    ...(more > 0 ? [`and ${more} more, newer ones`] : []),
    ...(!ack && seesAll ? [`not to see them again: ${again} --ack-to ${last}`] : []),
  ];
}

export async function notices(call: Call, flags: NoticesFlags, writer: NoticesWriter): Promise<void> {
  const filter = noticeFilter(flags);
  const output = await call('notices', {
    ...filter,
    ...(flags.limit !== undefined && { limit: readWhole('--limit', flags.limit, 1, limitMax) }),
  });
  const last = output.notices.at(-1);
  await writer.lines(flags.json ? [jsonText(output)] : output.notices.flatMap(shownNotice));
  if (flags.bell && output.notices.some(({ repeat }) => !repeat)) writer.ring();
  // Only now: whatever breaks before this loses nothing.
  if (flags.ack && last !== undefined) await call('notices', { ...filter, ack: last.seq, limit: 0 });
  if (flags.json) return;
  const rest = last === undefined ? [nothingToTell(flags)] : restLines(output, last.seq, flags);
  for (const line of rest) note(line);
}

async function acknowledge(call: Call, flags: NoticesFlags, text: string): Promise<void> {
  const ack = readWhole('--ack-to', text, 1, seqMax);
  const output = await call('notices', { ...noticeFilter(flags), ack, limit: 0 });
  if (flags.json) return printJson(output);
  // Nobody can acknowledge what is still to come.
  note(
    `acknowledged up to #${output.last}${output.more > 0 ? `; ${output.more} more: unstuck notices` : ''}`,
  );
}

/** One of three: what is there, what comes, or an acknowledgement only. */
export async function noticesCommand(call: Call, flags: NoticesFlags): Promise<void> {
  checkTogether(flags);
  if (flags.ackTo !== undefined) return acknowledge(call, flags, flags.ackTo);
  const writer = new OwnWriter();
  try {
    if (!flags.follow) return await notices(call, flags, writer);
    const { followToTerminal } = await import('./notices-follow.js');
    await followToTerminal(call, flags, writer);
  } catch (error) {
    // A reader that has seen enough is no failure.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}

/** `unstuck notices`. */
export const runNotices = (flags: NoticesFlags) => withDaemon(flags, (call) => noticesCommand(call, flags));

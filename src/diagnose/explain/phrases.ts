import { isAbsent } from '../../model/facts/absence.js';
import { signalName } from '../../model/facts/signals.js';
import type { SocketFacts } from '../../model/facts/sockets.js';
import { formatDuration } from '../../text/duration.js';
import { printable, printablePath } from '../../text/printable.js';
import type { OuterLimit } from '../graph/closed/outer-limit.js';
import type { Task } from '../graph/view.js';
import { tag } from './names.js';

/** Parts of the sentences. */

const namedMax = 4;

/** `a and b`; `a, b and c`; of many: `a, b, c, d and 3 more`. */
export function listOf(names: readonly string[]): string {
  const more = names.length - namedMax;
  const shown = more > 0 ? [...names.slice(0, namedMax), `${more} more`] : names;
  return `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

export function silence(socket: SocketFacts): string {
  if (socket.tcp === undefined) return '';
  return socket.tcp.bytesReceived === 0
    ? `, no byte received in ${formatDuration(socket.tcp.lastReceivedMs)}`
    : `, last byte ${formatDuration(socket.tcp.lastReceivedMs)} ago`;
}

/** The question of the program, where its output goes to a file. */
export function promptOf({ process }: Task): string {
  const log = isAbsent(process.fds) ? undefined : process.fds.find(({ detail }) => detail?.of === 'text');
  return log?.detail?.of === 'text' ? `; it asked: ${JSON.stringify(printable(log.detail.lastLine))}` : '';
}

export const listenedOn = ({ local }: SocketFacts): string => (local ? printablePath(local) : 'a socket');

/** Sockets without a peer that receive from the kernel. */
export const listenedTo: Partial<Record<SocketFacts['family'], string>> = {
  netlink: 'to messages of the kernel',
  packet: 'to the packets of a network interface',
};

export function zombieExit(status: number | null): string {
  if (status === null) return 'exit code unknown';
  const signal = status & 0x7f;
  return signal === 0 ? `exit code ${status >> 8}` : `killed by ${signalName(signal)}`;
}

export const left = (ms: number | null, exact: boolean): string =>
  ms === null
    ? 'until its timer fires'
    : exact
      ? `${formatDuration(ms)} more`
      : `for up to ${formatDuration(ms)}`;

export const supposedTimer = (leftMs: number | null): string =>
  leftMs === null
    ? 'waits for the signal of a timer, as far as can be seen'
    : `may have set an alarm that ends it in ${formatDuration(leftMs)}; what waits for it goes on then`;

/** What may end a stuck part that is not stuck itself. */
export function limitWords({ process, leftMs }: OuterLimit): string {
  const when = leftMs === null ? 'when its timer ends' : `in ${formatDuration(Math.max(0, leftMs))}`;
  return `${tag(process)} goes on by itself ${when}, and may stop it`;
}

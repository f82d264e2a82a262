import type { SocketFacts } from '../../../model/facts/sockets.js';

const tcpStates = [
  'UNKNOWN',
  'ESTABLISHED',
  'SYN_SENT',
  'SYN_RECV',
  'FIN_WAIT1',
  'FIN_WAIT2',
  'TIME_WAIT',
  'CLOSE',
  'CLOSE_WAIT',
  'LAST_ACK',
  'LISTEN',
  'CLOSING',
  'NEW_SYN_RECV',
];

export function tcpStateName(number: number): string {
  return tcpStates[number] ?? 'UNKNOWN';
}

/** `0100007F:1F90`: each 32-bit word of the address in host order, the port in plain hexadecimal. */
export function parseAddress(text: string): string {
  const [hex = '', port = '0'] = text.split(':');
  const bytes: number[] = [];
  for (let at = 0; at < hex.length; at += 8) {
    for (let byte = 6; byte >= 0; byte -= 2) {
      bytes.push(Number.parseInt(hex.slice(at + byte, at + byte + 2), 16));
    }
  }
  return formatAddress(bytes, Number.parseInt(port, 16));
}

/**
 * The same spelling for the same address: an IPv4 address inside IPv6 is written as IPv4, so that both ends compare.
 */
export function formatAddress(bytes: readonly number[], port: number): string {
  const mapped =
    bytes.length === 16 &&
    bytes.slice(0, 10).every((byte) => byte === 0) &&
    bytes[10] === 255 &&
    bytes[11] === 255;
  const v4 = bytes.length === 4 ? bytes : mapped ? bytes.slice(12) : null;
  if (v4 !== null) return `${v4.join('.')}:${port}`;
  const groups: string[] = [];
  for (let at = 0; at < 16; at += 2) {
    groups.push((((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)).toString(16));
  }
  return `[${groups.join(':').replace(/(^|:)0(:0)+(:|$)/, '::')}]:${port}`;
}

/** Rows of /proc/PID/net/tcp, tcp6, udp or udp6 (that file shows the network namespace of PID). */
export function parseNet(text: string, family: 'tcp' | 'udp', space: string): SocketFacts[] {
  const sockets: SocketFacts[] = [];
  for (const line of text.split('\n').slice(1)) {
    const fields = line.trim().split(/\s+/);
    const [, local, remote, state, queues, , retransmits, , , inode] = fields;
    if (local === undefined || remote === undefined || inode === undefined) continue;
    const [send = '0', receive = '0'] = (queues ?? '').split(':');
    sockets.push({
      inode: Number(inode),
      space,
      family,
      state: tcpStateName(Number.parseInt(state ?? '0', 16)),
      local: parseAddress(local),
      remote: parseAddress(remote),
      sendQueue: Number.parseInt(send, 16),
      receiveQueue: Number.parseInt(receive, 16),
      retransmits: Number.parseInt(retransmits ?? '0', 16),
    });
  }
  return sockets;
}

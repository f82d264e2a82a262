import type { SocketFacts } from '../../model/socket-facts.js';

type Family = Extract<SocketFacts['family'], 'netlink' | 'packet'>;

const names: Record<Family, string> = {
  netlink: 'messages of the kernel',
  packet: 'packets of a network interface',
};

/**
 * Rows of /proc/PID/net/netlink and packet: sockets whose other end is the kernel. Whoever has joined groups of netlink
 * waits for news, as who takes packets does; without a group it waits for an answer.
 */
export function parseKernelSockets(text: string, family: Family, space: string): SocketFacts[] {
  const [head = '', ...lines] = text.split('\n');
  const columns = head.trim().split(/\s+/);
  const [inodeAt, groupsAt] = [columns.indexOf('Inode'), columns.indexOf('Groups')];
  return lines.flatMap((line) => {
    const fields = line.trim().split(/\s+/);
    const inode = Number(fields[inodeAt]);
    if (inodeAt < 0 || !Number.isSafeInteger(inode) || inode === 0) return [];
    const waitsForNews = family === 'packet' || Number.parseInt(fields[groupsAt] ?? '0', 16) > 0;
    const state = waitsForNews ? 'LISTEN' : 'UNCONNECTED';
    return { inode, space, family, state, local: names[family], remote: '', receiveQueue: 0, sendQueue: 0 };
  });
}

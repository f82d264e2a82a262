import type { SocketFacts } from '../../../model/facts/sockets.js';

/** Rows of /proc/PID/net/netlink and packet: sockets whose other end is the kernel. */
export function parseKernelSockets(text: string, family: 'netlink' | 'packet', space: string): SocketFacts[] {
  const [head = '', ...lines] = text.split('\n');
  const columns = head.trim().split(/\s+/);
  const [inodeAt, groupsAt] = [columns.indexOf('Inode'), columns.indexOf('Groups')];
  return lines.flatMap((line) => {
    const fields = line.trim().split(/\s+/);
    const inode = Number(fields[inodeAt]);
    if (inodeAt < 0 || !Number.isSafeInteger(inode) || inode === 0) return [];
    const state = Number.parseInt(fields[groupsAt] ?? '0', 16) > 0 ? 'SUBSCRIBED' : 'UNCONNECTED';
    return { inode, space, family, state, local: '', remote: '', receiveQueue: 0, sendQueue: 0 };
  });
}

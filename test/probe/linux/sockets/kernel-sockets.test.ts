import { describe, expect, it } from 'vitest';
import { parseKernelSockets } from '../../../../src/probe/linux/sockets/sockets.js';

const netlink = `sk               Eth Pid        Groups   Rmem     Wmem     Dump  Locks    Drops    Inode
00000000b5e5a776 0   0          00000000 0        0        0     2        0        4
000000002d6c1aa2 0   812        00000011 0        0        0     2        0        499
`;
const packet = `sk               RefCnt Type Proto  Iface R Rmem   User   Inode
00000000b5e5a776 3      3    1234   0     1 0      0      7001
`;

describe('sockets whose other end is the kernel', () => {
  it('a netlink socket is subscribed if it has joined a group', () => {
    const rows = parseKernelSockets(netlink, 'netlink', 'net:[1]');
    expect(rows.map(({ inode, state }) => [inode, state])).toEqual([
      [4, 'UNCONNECTED'],
      [499, 'SUBSCRIBED'],
    ]);
  });

  it('packet sockets are listed', () => {
    expect(parseKernelSockets(packet, 'packet', 'net:[1]')).toMatchObject([
      { inode: 7001, family: 'packet' },
    ]);
  });

  it.each(['', 'sk Inode', 'Inode\nx', 'a b c\n1 2 3', 'Inode\n-1\n99999999999999999999'])(
    'nothing of %j',
    (text) => {
      expect(
        parseKernelSockets(text, 'netlink', 's').filter(({ inode }) => inode > 0 && inode < 1e9),
      ).toEqual([]);
    },
  );
});

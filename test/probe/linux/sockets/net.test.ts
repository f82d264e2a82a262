import { isIPv4, isIPv6 } from 'node:net';
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { formatAddress, parseAddress, parseNet } from '../../../../src/probe/linux/sockets/net.js';
import { parseSsUnix } from '../../../../src/probe/linux/sockets/ss.js';

/** As the kernel prints it on a little-endian machine: each 32-bit word turned around. */
function asKernel(bytes: readonly number[], port: number): string {
  let hex = '';
  for (let at = 0; at < bytes.length; at += 4) {
    hex += Buffer.from(bytes.slice(at, at + 4))
      .reverse()
      .toString('hex')
      .toUpperCase();
  }
  return `${hex}:${port.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The 16 bytes an IPv6 text stands for: read by another hand than the one that wrote it. */
function bytesOf(text: string): number[] {
  const [head = '', tail] = text.split('::');
  const groups = (part: string) =>
    part
      .split(':')
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16));
  const [front, back] = [groups(head), groups(tail ?? '')];
  const middle = tail === undefined ? [] : Array.from({ length: 8 - front.length - back.length }, () => 0);
  return [...front, ...middle, ...back].flatMap((group) => [group >> 8, group & 255]);
}

const byte = fc.integer({ min: 0, max: 255 });
const port = fc.integer({ min: 0, max: 65_535 });
const v4 = fc.array(byte, { minLength: 4, maxLength: 4 });
const v6 = fc.array(fc.oneof(fc.constant(0), byte), { minLength: 16, maxLength: 16 });
const isMapped = (bytes: readonly number[]) =>
  bytes.slice(0, 10).every((one) => one === 0) && bytes[10] === 255 && bytes[11] === 255;

describe('addresses of /proc/net', () => {
  test.each([
    ['0100007F:1F90', '127.0.0.1:8080'],
    ['00000000:0000', '0.0.0.0:0'],
    ['0F02000A:D431', '10.0.2.15:54321'],
    ['00000000000000000000000000000000:0050', '[::]:80'],
    ['00000000000000000000000001000000:0050', '[::1]:80'],
    ['0000000000000000FFFF00000100007F:0050', '127.0.0.1:80'],
    ['B80D0120000000000000000001000000:01BB', '[2001:db8::1]:443'],
    ['B80D0120000000000100000000000000:01BB', '[2001:db8::1:0:0]:443'],
    ['000000000000000000FF00000100007F:0050', '[::ff00:7f00:1]:80'],
  ])('%s is %s', (text, address) => {
    expect(parseAddress(text)).toBe(address);
  });

  property.prop([v4, port])('any IPv4 address is decoded', (bytes, number) => {
    const text = parseAddress(asKernel(bytes, number));
    const [host = '', ours] = text.split(':');
    expect(isIPv4(host)).toBe(true);
    expect([host.split('.').map(Number), Number(ours)]).toEqual([bytes, number]);
  });

  property.prop([v6, port])('any IPv6 address is decoded', (bytes, number) => {
    fc.pre(!isMapped(bytes));
    const match = /^\[(.*)\]:(\d+)$/.exec(parseAddress(asKernel(bytes, number)));
    expect(isIPv6(match?.[1] ?? '')).toBe(true);
    expect([bytesOf(match?.[1] ?? ''), Number(match?.[2])]).toEqual([bytes, number]);
  });

  property.prop([v4, port])('both ends compare: IPv4 inside IPv6 is spelled as IPv4', (bytes, number) => {
    const inside = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, ...bytes];
    expect(formatAddress(inside, number)).toBe(formatAddress(bytes, number));
  });
});

const header =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';

describe('rows of /proc/net', () => {
  test('state, queues and retransmits', () => {
    const row =
      '   3: 0100007F:9C40 0100007F:1F90 02 0039DA86:0001F3E5 01:00000041 00000003  1000        0 60511 2 ffff 40 0 0 2 -1\n';
    expect(parseNet(header + row, 'tcp', 'net:[1]')).toEqual([
      {
        inode: 60511,
        space: 'net:[1]',
        family: 'tcp',
        state: 'SYN_SENT',
        local: '127.0.0.1:40000',
        remote: '127.0.0.1:8080',
        sendQueue: 0x39da86,
        receiveQueue: 0x1f3e5,
        retransmits: 3,
      },
    ]);
  });

  test.each([
    ['01', 'ESTABLISHED'],
    ['06', 'TIME_WAIT'],
    ['08', 'CLOSE_WAIT'],
    ['0A', 'LISTEN'],
    ['0C', 'NEW_SYN_RECV'],
    ['FF', 'UNKNOWN'],
  ])('state %s is %s', (number, state) => {
    const row = `   0: 00000000:0016 00000000:0000 ${number} 00000000:00000000 00:00000000 00000000  0 0 7 1\n`;
    expect(parseNet(header + row, 'tcp', 'x')[0]?.state).toBe(state);
  });

  test('a cut last row is left out; a header alone has no rows', () => {
    expect(parseNet(`${header}   0: 00000000:0016 00000000:0000 0A 0000`, 'tcp', 'x')).toEqual([]);
    expect(parseNet(header, 'udp', 'x')).toEqual([]);
    expect(parseNet('', 'udp', 'x')).toEqual([]);
  });

  property.prop([fc.string()])('any text is read without an error', (text) => {
    expect(() => parseNet(header + text, 'tcp', 'x')).not.toThrow();
  });
});

describe('ss -x', () => {
  test('ends, names and queues', () => {
    const text = `u_str ESTAB 0 0                        * 60511            * 60512
u_str LISTEN 0 4096   /run/systemd/private 16001            * 0
u_dgr UNCONN 0 0  @/of/agent@stream 17 * 0
u_seq ESTAB 10 20 /tmp/my socket 900 * 901
`;
    const rows = parseSsUnix(text).map(({ inode, state, local, peer, receiveQueue, sendQueue }) => ({
      inode,
      state,
      local,
      peer,
      queues: [receiveQueue, sendQueue],
    }));
    expect(rows).toEqual([
      { inode: 60511, state: 'ESTABLISHED', local: '', peer: 60512, queues: [0, 0] },
      { inode: 16001, state: 'LISTEN', local: '/run/systemd/private', peer: undefined, queues: [0, 4096] },
      { inode: 17, state: 'UNCONNECTED', local: '@/of/agent@stream', peer: undefined, queues: [0, 0] },
      { inode: 900, state: 'ESTABLISHED', local: '/tmp/my socket', peer: 901, queues: [10, 20] },
    ]);
  });

  property.prop([fc.string()])('garbage has no rows', (text) => {
    expect(() => parseSsUnix(text)).not.toThrow();
  });
});

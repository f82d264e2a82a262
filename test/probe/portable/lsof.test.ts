import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { isAbsent } from '../../../src/model/facts/absence.js';
import { lsofArguments, parseLsof } from '../../../src/probe/portable/lsof.js';

const lines = (...fields: string[]): string => `${fields.join('\n')}\n`;

/** Taken from lsof 4.95 on Linux 6.18, shortened. */
const linux = lines(
  ...['p6144', 'fcwd', 'a ', 'tDIR', 'i5308426', 'n/home/user/project'],
  ...['ftxt', 'a ', 'tREG', 'i260689', 'n/usr/bin/node'],
  ...['fmem', 'a ', 'tREG', 'i339380', 'n/usr/lib/libc.so.6'],
  ...['f0', 'ar', 'tCHR', 'i3', 'n/dev/null'],
  ...['f1', 'aw', 'tREG', 'D0xfe00', 'i2228274', 'n/tmp/out put'],
  ...['f3', 'au', 'ta_inode', 'i26', 'n[eventpoll:11,13]'],
  ...['f4', 'ar', 'tFIFO', 'i157702', 'npipe'],
  ...['f5', 'aw', 'tFIFO', 'i157702', 'npipe'],
  ...['f6', 'ar', 'tFIFO', 'D0xfe00', 'i99', 'n/tmp/fifo'],
  ...['f8', 'au', 'ta_inode', 'i26', 'n[eventfd:4]'],
  ...['f9', 'au', 'tCHR', 'i6', 'n/dev/pts/3'],
  ...['f19', 'au', 'tIPv6', 'd157704', 'PTCP', 'n*:46807', 'TST=LISTEN', 'TQR=0', 'TQS=0'],
  ...['f20', 'au', 'tunix', 'd0x000000009345f99d', 'i157705', 'ntype=STREAM', 'TST=CONNECTED'],
  ...['f21', 'au', 'tIPv4', 'd157712', 'PTCP', 'n127.0.0.1:37424->127.0.0.1:46807'],
  ...['TST=ESTABLISHED', 'TQR=5', 'TQS=7'],
  ...['f22', 'au', 'tunix', 'd0x00000000aa', 'i157800', 'n/run/x.sock type=STREAM', 'TST=LISTEN'],
  ...['f23', 'au', 'tIPv4', 'd157713', 'PUDP', 'n*:5353'],
  ...['p6200', 'fcwd', 'a ', 'tunknown', 'n/proc/6200/cwd (readlink: Permission denied)'],
  ...['fNOFD', 'a ', 't', 'n/proc/6200/fd (opendir: Permission denied)'],
  ...['p6300', 'fcwd', 'tDIR', 'n/'],
);

describe('lsof of Linux', () => {
  const { files, sockets } = parseLsof(linux);
  const node = files.get(6144);
  const file = (fd: number) => node?.fds.find((one) => one.fd === fd);

  test('kinds, objects and directions', () => {
    expect(node?.exe).toBe('/usr/bin/node');
    expect(file(0)).toMatchObject({ kind: 'null', read: true, write: false });
    expect(file(1)).toMatchObject({ kind: 'file', link: '/tmp/out put', read: false, write: true });
    expect(file(3)).toMatchObject({ kind: 'epoll' });
    expect(file(4)).toMatchObject({ kind: 'pipe', object: 'pipe:157702', read: true, write: false });
    expect(file(5)).toMatchObject({ kind: 'pipe', object: 'pipe:157702', read: false, write: true });
    expect(file(6)).toMatchObject({ kind: 'fifo', object: 'fifo:0xfe00:99', link: '/tmp/fifo' });
    expect(file(8)).toMatchObject({ kind: 'eventfd', object: 'eventfd:4' });
    expect(file(9)).toMatchObject({ kind: 'terminal', object: 'terminal:pts/3' });
    expect(node?.fds.map(({ fd }) => fd)).toEqual([0, 1, 3, 4, 5, 6, 8, 9, 19, 20, 21, 22, 23]);
  });

  test('connections', () => {
    expect(file(21)?.object).toBe('socket:157712');
    expect(sockets.find(({ inode }) => inode === 157712)).toMatchObject({
      family: 'tcp',
      state: 'ESTABLISHED',
      local: '127.0.0.1:37424',
      remote: '127.0.0.1:46807',
      receiveQueue: 5,
      sendQueue: 7,
    });
    expect(sockets.find(({ inode }) => inode === 157704)).toMatchObject({
      state: 'LISTEN',
      local: '[::]:46807',
      remote: '[::]:0',
    });
    expect(sockets.find(({ inode }) => inode === 157713)).toMatchObject({
      family: 'udp',
      local: '0.0.0.0:5353',
    });
  });

  test('a unix socket whose other end is not shown is not given one', () => {
    expect(file(20)).toMatchObject({ kind: 'socket', object: 'socket:157705' });
    expect(sockets.some(({ inode }) => inode === 157705)).toBe(false);
    expect(sockets.find(({ inode }) => inode === 157800)).toMatchObject({
      state: 'LISTEN',
      local: '/run/x.sock',
    });
  });

  test('distinguishes denied from empty', () => {
    expect(files.get(6200)).toMatchObject({ denied: true, fds: [] });
    expect(files.get(6300)).toMatchObject({ denied: false, fds: [] });
    expect(node?.denied).toBe(false);
  });
});

/** macOS: kernel addresses instead of inodes, each end of a pipe with its own. */
const macos = lines(
  ...['p501', 'fcwd', 'tDIR', 'D0x1000004', 'i2', 'n/'],
  ...['ftxt', 'tREG', 'D0x1000004', 'i11', 'n/bin/cat'],
  ...['f0', 'au', 'tCHR', 'D0x10000002', 'i777', 'n/dev/ttys001'],
  ...['f3', 'tPIPE', 'd0x4d5e6f708192a3b4', 'n->0x1a2b3c4d5e6f7081'],
  ...['f4', 'au', 'tunix', 'd0xffffff8012345678', 'n->0xffffff8087654321'],
  ...['f5', 'au', 'tKQUEUE', 'ncount=0, state=0xa'],
  ...['f6', 'au', 'tIPv4', 'd0xffffff8011112222', 'PTCP', 'n10.0.0.2:5000->1.2.3.4:443', 'TST=SYN_RCVD'],
  ...['p502', 'f1', 'tPIPE', 'd0x1a2b3c4d5e6f7081', 'n->0x4d5e6f708192a3b4'],
  ...['f4', 'au', 'tunix', 'd0xffffff8087654321', 'n->0xffffff8012345678'],
);

describe('lsof of macOS', () => {
  const { files, sockets } = parseLsof(macos);
  const file = (pid: number, fd: number) => files.get(pid)?.fds.find((one) => one.fd === fd);

  test('both ends of a pipe are the same object', () => {
    expect(file(501, 3)?.kind).toBe('pipe');
    expect(file(501, 3)?.object).toBe(file(502, 1)?.object);
    expect(file(501, 3)).toMatchObject({ read: true, write: true });
  });

  test('the two ends of a unix socket name each other', () => {
    const inode = (pid: number) => Number(file(pid, 4)?.object.slice('socket:'.length));
    const peer = (pid: number) => sockets.find((one) => one.inode === inode(pid))?.peer;
    expect(inode(501)).not.toBe(inode(502));
    expect([peer(501), peer(502)]).toEqual([inode(502), inode(501)]);
  });

  test('terminals, queues of events, names of states', () => {
    expect(file(501, 0)).toMatchObject({ kind: 'terminal', object: 'terminal:ttys001' });
    expect(file(501, 5)?.kind).toBe('other');
    expect(sockets.find(({ family }) => family === 'tcp')?.state).toBe('SYN_RECV');
  });
});

test('lsof gets the flags against name lookups and blocking calls', () => {
  const args = lsofArguments([1, 2]);
  expect(args).toEqual(expect.arrayContaining(['-n', '-P', '-b']));
  expect(args.slice(-2)).toEqual(['-p', '1,2']);
});

const field = fc.oneof(
  fc.constantFrom(
    'p12',
    'f0',
    'f3',
    'fcwd',
    'tFIFO',
    'tPIPE',
    'tunix',
    'tIPv4',
    'n->0x1',
    'npipe',
    'd0x1',
    'i7',
    'TST=',
  ),
  fc.string({ maxLength: 12 }),
);

property.prop([fc.array(field)])('any output of lsof becomes facts that can be saved', (fields) => {
  const { files, sockets } = parseLsof(fields.join('\n'));
  const facts = [...files.values()];
  expect(JSON.parse(JSON.stringify({ facts, sockets }))).toEqual({ facts, sockets });
  expect(facts.some((one) => isAbsent(one))).toBe(false);
});

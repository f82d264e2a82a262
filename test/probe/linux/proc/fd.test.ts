import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { classifyLink, terminalName } from '../../../../src/probe/linux/proc/fd.js';
import { locksIn, parseFdinfo } from '../../../../src/probe/linux/proc/fdinfo.js';

describe('links of /proc/PID/fd', () => {
  test.each([
    ['pipe:[60795]', 'pipe', 'pipe:60795'],
    ['socket:[60511]', 'socket', 'socket:60511'],
    ['anon_inode:[eventpoll]', 'epoll', 'anon_inode:[eventpoll]'],
    ['anon_inode:[eventfd]', 'eventfd', 'anon_inode:[eventfd]'],
    ['anon_inode:[timerfd]', 'timerfd', 'anon_inode:[timerfd]'],
    ['anon_inode:[signalfd]', 'signalfd', 'anon_inode:[signalfd]'],
    ['anon_inode:[pidfd]', 'pidfd', 'anon_inode:[pidfd]'],
    ['anon_inode:[io_uring]', 'io_uring', 'anon_inode:[io_uring]'],
    ['anon_inode:inotify', 'inotify', 'anon_inode:inotify'],
    ['anon_inode:[fanotify]', 'inotify', 'anon_inode:[fanotify]'],
    ['anon_inode:[new-thing]', 'other', 'anon_inode:[new-thing]'],
    ['pidfd:[123]', 'pidfd', 'pidfd:[123]'],
    ['/dev/null', 'null', '/dev/null'],
    ['/dev/urandom', 'null', '/dev/urandom'],
    ['/dev/ptmx', 'ptmx', 'ptmx'],
    ['/dev/pts/ptmx', 'ptmx', 'ptmx'],
    ['/dev/pts/3', 'terminal', 'terminal:pts/3'],
    ['/dev/pts/3 (deleted)', 'terminal', 'terminal:pts/3'],
    ['/dev/tty1', 'terminal', 'terminal:tty1'],
    ['/dev/ttyS0', 'terminal', 'terminal:ttyS0'],
    ['/dev/tty', 'terminal', 'terminal:pts/7'],
    ['/dev/console', 'terminal', 'terminal:console'],
    ['/dev/fuse', 'device', '/dev/fuse'],
    ['/dev/shm/sem.x', 'file', 'file:/dev/shm/sem.x'],
    ['/tmp/pipe:[5]', 'file', 'file:/tmp/pipe:[5]'],
    ['/home/a b/c (deleted)', 'file', 'file:/home/a b/c (deleted)'],
    ['net:[4026531840]', 'other', 'file:net:[4026531840]'],
  ])('%s is a %s', (link, kind, object) => {
    expect(classifyLink(link, 'pts/7')).toEqual({ kind, object });
  });

  test('/dev/tty of a process without a terminal', () => {
    expect(classifyLink('/dev/tty', null)).toEqual({ kind: 'terminal', object: 'terminal:/dev/tty' });
  });

  test('terminals by number', () => {
    expect([0, 34816, 34819, 1025, 0x8800 + 0x100000, (5 << 8) | 1].map(terminalName)).toEqual([
      null,
      'pts/0',
      'pts/3',
      'tty1',
      'pts/256',
      '5:1',
    ]);
  });
});

describe('fdinfo', () => {
  const head = 'pos:\t0\nflags:\t02004002\nmnt_id:\t15\nino:\t1057\n';

  test('epoll: what is registered, with its inode where the kernel shows it', () => {
    const info = `${head}tfd:        0 events:       19 data:        0  pos:0 ino:c4a sdev:9
tfd:       17 events: 2000001d data: ffffffff00000011  pos:0 ino:fffffffffffff sdev:9
tfd:        5 events:        4 data:               5\n`;
    expect(parseFdinfo('epoll', info).detail).toEqual({
      of: 'epoll',
      targets: [
        { fd: 0, events: 0x19, inode: 0xc4a },
        { fd: 17, events: 0x2000001d, inode: 0xfffffffffffff },
        { fd: 5, events: 4, inode: null },
      ],
    });
    expect(parseFdinfo('epoll', head).detail).toEqual({ of: 'epoll', targets: [] });
  });

  test('eventfd: the count is hexadecimal, the id identifies the object wherever it is open', () => {
    const info = `${head}eventfd-count:                a\neventfd-id: 12\neventfd-semaphore: 0\n`;
    expect(parseFdinfo('eventfd', info)).toEqual({
      object: 'eventfd:12',
      detail: { of: 'eventfd', count: 10 },
    });
    expect(parseFdinfo('eventfd', 'eventfd-count: ffffffffffffffff\n').detail).toEqual({
      of: 'eventfd',
      count: 2 ** 64,
    });
  });

  test('timerfd: time left, or disarmed', () => {
    const info = (value: string) =>
      `${head}clockid: 1\nticks: 0\nit_value: (${value})\nit_interval: (9, 9)\n`;
    expect(parseFdinfo('timerfd', info('76, 500000000')).detail).toEqual({ of: 'timerfd', leftMs: 76500 });
    expect(parseFdinfo('timerfd', info('0, 0')).detail).toEqual({ of: 'timerfd', leftMs: null });
  });

  test('pidfd, ptmx, signalfd, inotify, io_uring', () => {
    expect(parseFdinfo('pidfd', `${head}Pid:\t17614\nNSpid:\t17614\n`).detail).toEqual({
      of: 'pidfd',
      pid: 17614,
    });
    expect(parseFdinfo('pidfd', `${head}Pid:\t-1\nNSpid:\t-1\n`).detail).toEqual({ of: 'pidfd', pid: -1 });
    expect(parseFdinfo('ptmx', `${head}tty-index:\t4\n`)).toEqual({
      object: 'ptmx:4',
      detail: { of: 'ptmx', index: 4 },
    });
    expect(parseFdinfo('signalfd', `${head}sigmask:\t0000000000014002\n`).detail).toEqual({
      of: 'signalfd',
      mask: '0000000000014002',
    });
    expect(parseFdinfo('inotify', `${head}inotify wd:2 ino:1\ninotify wd:1 ino:2\n`).detail).toEqual({
      of: 'inotify',
      watches: 2,
    });
    const marks =
      'fanotify flags:e03 event-flags:88000\nfanotify ino:5 sdev:fe mflags:0 mask:58\nfanotify mnt_id:17 mflags:0\n';
    expect(parseFdinfo('inotify', head + marks).detail).toEqual({ of: 'inotify', watches: 2 });
    const ring = `${head}SqMask:\t0x1\nSQEs:\t0\nPollList:\n  op=22, task_works=0\n  op=9, task_works=0\nCqOverflowList:\n`;
    const detail = { of: 'io_uring', pending: ['22', '9'] };
    expect(parseFdinfo('io_uring', `${ring}UserFiles:\t0\n`).detail).toEqual(detail);
    expect(parseFdinfo('io_uring', ring).detail).toEqual({ ...detail, files: null });
    // All slots are empty; or the ring was in use, and nothing after its counts was printed.
    expect(parseFdinfo('io_uring', `${head}UserFiles:\t8\n${ring}`).detail).toEqual(detail);
    expect(parseFdinfo('io_uring', `${head}UserFiles:\t8\n`).detail).toEqual({
      of: 'io_uring',
      pending: [],
      files: null,
    });
  });

  test('a kind without details adds nothing', () => {
    expect(parseFdinfo('file', head)).toEqual({});
  });

  test('file locks held through an open file', () => {
    const lock = 'lock:\t1: FLOCK  ADVISORY  WRITE 12 fe:00:5 0 EOF\n';
    expect([head, head + lock, head + lock + lock].map((info) => locksIn(info, 'FLOCK'))).toEqual([0, 1, 2]);
  });

  const kinds = ['epoll', 'eventfd', 'timerfd', 'pidfd', 'ptmx', 'signalfd', 'inotify', 'io_uring'] as const;
  const lines = fc.constantFrom(
    'tfd: ',
    'events: ',
    'eventfd-id: ',
    'it_value: (',
    'Pid:\t',
    '\n',
    '9',
    'zz',
    ', ',
  );
  property.prop([fc.constantFrom(...kinds), fc.array(fc.oneof(lines, fc.string({ maxLength: 5 })))])(
    'any text gives facts that JSON can hold',
    (kind, parts) => {
      const facts = parseFdinfo(kind, parts.join(''));
      expect(JSON.parse(JSON.stringify(facts))).toEqual(facts);
    },
  );
});

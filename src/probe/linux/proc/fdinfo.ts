import type { FdDetail, FdFacts, FdKind } from '../../../model/facts/snapshot.js';

const epollTargetsMax = 20_000;

function number(info: string, pattern: RegExp, base = 10): number | null {
  const match = pattern.exec(info);
  return match?.[1] === undefined ? null : Number.parseInt(match[1], base);
}

function epollTargets(info: string): FdDetail {
  const targets: { fd: number; events: number; inode: number | null }[] = [];
  const line = /^tfd:\s*(\d+) events:\s*([0-9a-f]+)(?:.*?ino:([0-9a-f]+))?/gm;
  for (const [, fd, events, inode] of info.matchAll(line)) {
    if (targets.length === epollTargetsMax) break;
    targets.push({
      fd: Number(fd),
      events: Number.parseInt(events ?? '0', 16),
      inode: inode === undefined ? null : Number.parseInt(inode, 16),
    });
  }
  return { of: 'epoll', targets };
}

function timerLeft(info: string): FdDetail {
  const match = /it_value: \((\d+), (\d+)\)/.exec(info);
  const ms = match === null ? 0 : Number(match[1]) * 1000 + Number(match[2]) / 1e6;
  return { of: 'timerfd', leftMs: ms === 0 ? null : ms };
}

/** Requests of an io_uring that wait for something: `op=22, task_works=0` under PollList. */
function ringPending(info: string): FdDetail {
  const list = info.slice(Math.max(0, info.indexOf('PollList:')));
  const pending = [...list.matchAll(/op=(\d+)/g)].map((match) => match[1] ?? '');
  const files = registeredIn(info);
  return { of: 'io_uring', pending, ...((files === null || files.length > 0) && { files }) };
}

const registeredMax = 20_000;

/**
 * The links of files that an io_uring keeps open without a descriptor: `    0: pipe:[123]` under UserFiles. null: the
 * kernel does not list them while the ring is in use, or they are too many.
 */
export function registeredIn(info: string): string[] | null {
  const section = /^UserFiles:\t(\d+)\n((?: +\d+: .*\n)*)/m.exec(info);
  if (section === null) return null;
  const [, count = '0', rows = ''] = section;
  // Requests follow where the ring was not in use. Then no row means that all its slots are empty.
  if (count !== '0' && rows === '' && !/^PollList:/m.test(info)) return null;
  const links = [...rows.matchAll(/^ +\d+: ((?:pipe|socket):\[\d+\]|anon_inode:.*|\/.*)$/gm)].map(
    ([, link]) => link ?? '',
  );
  const files = [...new Set(links)];
  return files.length > registeredMax ? null : files;
}

const parsers: Partial<Record<FdKind, (info: string) => Partial<FdFacts>>> = {
  epoll: (info) => ({ detail: epollTargets(info) }),
  timerfd: (info) => ({ detail: timerLeft(info) }),
  eventfd: (info) => {
    const id = number(info, /eventfd-id:\s*(\d+)/);
    const count = number(info, /eventfd-count:\s*([0-9a-f]+)/, 16) ?? 0;
    return { ...(id === null ? {} : { object: `eventfd:${id}` }), detail: { of: 'eventfd', count } };
  },
  pidfd: (info) => {
    const pid = number(info, /^Pid:\s*(-?\d+)/m);
    return pid === null ? {} : { detail: { of: 'pidfd', pid } };
  },
  ptmx: (info) => {
    const index = number(info, /tty-index:\s*(\d+)/);
    return index === null ? {} : { object: `ptmx:${index}`, detail: { of: 'ptmx', index } };
  },
  signalfd: (info) => ({
    detail: { of: 'signalfd', mask: /sigmask:\s*([0-9a-f]+)/.exec(info)?.[1] ?? '0' },
  }),
  inotify: (info) => ({
    detail: {
      of: 'inotify',
      watches: info.match(/^(?:inotify wd|fanotify (?:ino|mnt_id|sdev)):/gm)?.length ?? 0,
    },
  }),
  io_uring: (info) => ({ detail: ringPending(info) }),
};

/** What /proc/PID/fdinfo/FD adds to an open file of that kind. */
export function parseFdinfo(kind: FdKind, info: string): Partial<FdFacts> {
  return parsers[kind]?.(info) ?? {};
}

/** Number of file locks of this type (`FLOCK`, `OFDLCK`) that are held through this open file. */
export function locksIn(info: string, type: string): number {
  return [...info.matchAll(/^lock:\s+\d+:\s+(\S+)/gm)].filter(([, found]) => found === type).length;
}

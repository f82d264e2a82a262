import { type Absent, isAbsent } from '../../../model/facts/absence.js';
import type { FdFacts, FdKind } from '../../../model/facts/snapshot.js';
import type { ProcessDir } from '../kernel/kernel.js';
import { parseFdinfo } from './fdinfo.js';

/** Past this many, the rest of a process's open files is not read and reported as absent. */
export const fdsMax = 20_000;

const anonymous: Record<string, FdKind> = {
  '[eventpoll]': 'epoll',
  '[eventfd]': 'eventfd',
  '[timerfd]': 'timerfd',
  '[signalfd]': 'signalfd',
  '[pidfd]': 'pidfd',
  '[io_uring]': 'io_uring',
  inotify: 'inotify',
  '[inotify]': 'inotify',
  // The same for whole file systems.
  '[fanotify]': 'inotify',
};

const readyDevices = new Set(['/dev/null', '/dev/zero', '/dev/full', '/dev/random', '/dev/urandom']);

/** A terminal's name: `pts/3`, `tty1`. The same name for the same terminal, however it was opened. */
export function terminalName(number: number): string | null {
  if (number === 0) return null;
  const major = (number >> 8) & 0xfff;
  const minor = (number & 0xff) | ((number >> 12) & 0xfff00);
  if (major === 136) return `pts/${minor}`;
  return major === 4 && minor < 64 ? `tty${minor}` : `${major}:${minor}`;
}

/** Classifies the target of a /proc/PID/fd link; `terminal`: the terminal that /dev/tty means to that process. */
export function classifyLink(link: string, terminal: string | null): { kind: FdKind; object: string } {
  const bracket = /^(pipe|socket):\[(\d+)\]$/.exec(link);
  if (bracket !== null) return { kind: bracket[1] as FdKind, object: `${bracket[1]}:${bracket[2]}` };
  if (link.startsWith('anon_inode:')) {
    return { kind: anonymous[link.slice(11)] ?? 'other', object: link };
  }
  if (link.startsWith('/dev/')) {
    if (readyDevices.has(link)) return { kind: 'null', object: link };
    if (link === '/dev/ptmx' || link === '/dev/pts/ptmx') return { kind: 'ptmx', object: 'ptmx' };
    if (link === '/dev/tty') return { kind: 'terminal', object: `terminal:${terminal ?? '/dev/tty'}` };
    const tty = /^\/dev\/(pts\/\d+|tty\w+|console|hvc\d+)( \(deleted\))?$/.exec(link);
    if (tty !== null) return { kind: 'terminal', object: `terminal:${tty[1]}` };
    if (!link.startsWith('/dev/shm/')) return { kind: 'device', object: link };
  }
  if (link.startsWith('pidfd:')) return { kind: 'pidfd', object: link };
  return { kind: link.startsWith('/') ? 'file' : 'other', object: `file:${link}` };
}

const withFdinfo: ReadonlySet<FdKind> = new Set([
  'epoll',
  'eventfd',
  'timerfd',
  'signalfd',
  'pidfd',
  'io_uring',
  'inotify',
  'ptmx',
]);

/** An open file. `base` is `` or `task/TID/` (the way in when the leader is a zombie). */
export function readFd(dir: ProcessDir, base: string, fd: number, terminal: string | null): FdFacts | Absent {
  const link = dir.link(`${base}fd/${fd}`);
  if (isAbsent(link)) return link;
  const facts: FdFacts = { fd, link, ...classifyLink(link, terminal), read: true, write: true };
  if (facts.kind === 'pipe' || facts.kind === 'file') {
    const mode = dir.linkMode(`${base}fd/${fd}`);
    // Closed since its link was read: guessed ends would make the process a reader that waits for itself.
    if (isAbsent(mode)) return mode;
    facts.read = (mode & 0o400) !== 0;
    facts.write = (mode & 0o200) !== 0;
  }
  // Distinct until the kernel shows that two are the same (shared-objects.ts).
  if (facts.kind === 'epoll' || facts.kind === 'timerfd') facts.object = `${facts.kind}:${dir.pid}:${fd}`;
  if (withFdinfo.has(facts.kind)) {
    const info = dir.text(`${base}fdinfo/${fd}`);
    if (!isAbsent(info)) Object.assign(facts, parseFdinfo(facts.kind, info));
  }
  return facts;
}

/** A process that runs may move a file to another number while its numbers are read, and is read several times. */
export interface Effort {
  /** Readings in a row that have to agree. */
  alike: number;
  readings: number;
}

export const thorough: Effort = { alike: 6, readings: 12 };
/** For one of hundreds of processes that have nothing to do with the tree, so that a snapshot of a busy machine stays cheap. */
export const quick: Effort = { alike: 2, readings: 4 };

/**
 * Reads what is open under each number; `read` returns its link, or null if the number is closed now. Whole: `stoodStill`
 * proves that the process did nothing meanwhile, several readings in a row were the same, or at least one came to its end.
 * What none of them found was moved during each. `restless`: each time, a number was closed before its link was read.
 */
export function readEach(
  list: () => readonly number[] | Absent,
  read: (fd: number) => string | null,
  stoodStill: () => boolean,
  { alike: alikeMin, readings }: Effort = thorough,
): 'whole' | 'restless' | Absent {
  let last: string | null = null;
  let alike = 0;
  let isWhole = false;
  for (let reading = 0; reading < readings && alike < alikeMin; reading += 1) {
    const numbers = list();
    // It has ended since: nothing is open there any more.
    if (isAbsent(numbers)) return reading === 0 ? numbers : 'whole';
    const found = numbers.map((fd) => ({ fd, link: read(fd) }));
    const isComplete = found.every(({ link }) => link !== null);
    if (isComplete && reading === 0 && stoodStill()) return 'whole';
    const now = isComplete ? found.map(({ fd, link }) => `${fd} ${link}`).join('\n') : null;
    isWhole ||= isComplete;
    alike = now === null ? 0 : now === last ? alike + 1 : 1;
    last = now;
  }
  return isWhole || isAbsent(list()) ? 'whole' : 'restless';
}

/** The open files, each read once. */
export interface FdsReading {
  fds: FdFacts[] | Absent;
  /** Some were closed after they were listed. */
  closed: boolean;
  /** An io_uring keeps open what it does not show. */
  hidden: boolean;
}

export function readFds(
  dir: ProcessDir,
  base: string,
  terminal: string | null,
  isReader: boolean,
): FdsReading {
  const numbers = dir.numbers(`${base}fd`);
  if (isAbsent(numbers)) return { fds: numbers, closed: false, hidden: false };
  const fds: FdFacts[] = [];
  let closed = false;
  for (const fd of numbers.slice(0, fdsMax)) {
    const facts = readFd(dir, base, fd, terminal);
    if (!isAbsent(facts)) fds.push(facts);
    // The reader itself opens and closes directories.
    else if (facts.absent === 'gone' && !isReader) closed = true;
  }
  const hidden = fds.some(({ detail }) => detail?.of === 'io_uring' && detail.files === null);
  return { fds, closed, hidden };
}

import { type Absent, isAbsent } from '../../../model/facts/absence.js';
import type { FdFacts, ProcessFacts } from '../../../model/facts/snapshot.js';
import type { Kernel, NativeFacts, ProcessDir } from '../kernel/kernel.js';
import { inodeOf, unnamedFileOf } from '../proc/maps.js';
import type { ProcessReading } from '../snapshot/process.js';
import type { ReadContext } from '../snapshot/read-context.js';
import { waitedFiles } from '../snapshot/waited-objects.js';
import type { HolderSearch } from './holders.js';

/** Siblings that are compared with one process; a larger group shares a program, but hardly an open file. */
const siblingsMax = 16;
/** Members of a family that are compared with one process; a server may have hundreds of workers. */
const familyMax = 64;
const comparisonsMax = 256;

/** Kinds without a number of their own in /proc: only the kernel can distinguish two of them. */
const anonymousKinds = new Set(['epoll', 'timerfd']);

function waitsInPrivateFutex({ threads }: ProcessFacts): boolean {
  return threads.some(({ call }) => !isAbsent(call) && call.at === 'call' && call.futex?.private === true);
}

function relatives(facts: ProcessFacts, all: readonly ProcessFacts[]): number[] {
  const siblings = all.filter(({ parent, pid }) => parent === facts.parent && pid !== facts.pid);
  return [facts.parent, ...facts.children, ...siblings.slice(0, siblingsMax).map(({ pid }) => pid)];
}

function familyOf({ families }: ReadContext, { pid, exe }: ProcessFacts): number[] {
  return exe === null ? [] : families.of(pid, exe);
}

/**
 * Processes that share the whole memory of this process although they are not its threads. They come from clone without
 * exec, so they are of its family; null: it is not known whether there are any.
 */
export function memorySharers(context: ReadContext, facts: ProcessFacts): number[] | null {
  if (!waitsInPrivateFutex(facts) || facts.exe === null) return [];
  const { files, native, lacks } = context.kernel;
  // A parent that is not in the capture may share the memory as well.
  if (facts.parent > 0 && lacks !== 'unsupported' && isAbsent(files.link(`/proc/${facts.parent}/exe`))) {
    context.miss('mem', facts.pid, lacks, 'which processes share their memory');
    return null;
  }
  const family = familyOf(context, facts);
  if (family.length > familyMax) {
    context.miss('mem', facts.pid, 'limit', 'which processes share their memory');
    return null;
  }
  const sharers: number[] = [];
  for (const pid of family) {
    const same = native.sameMemory(facts.pid, pid);
    if (same === null && lacks === 'unsupported') return null;
    // In a capture, unknown counts as the same: a process that might share the memory might wake the thread.
    if (same === null) context.miss('mem', facts.pid, lacks, 'which processes share their memory');
    if (same !== false) sharers.push(pid);
  }
  return sharers;
}

/**
 * Who may have a timer or an epoll instance open that is waited on. A timer that is armed ends the wait by itself; an
 * epoll instance is only inherited in practice.
 */
async function possibleSharers(
  context: ReadContext,
  search: HolderSearch,
  facts: ProcessFacts,
  { kind, detail, link }: FdFacts,
): Promise<Iterable<number>> {
  if (detail?.of === 'timerfd' && detail.leftMs === null) return await search.holdersOf(link);
  return kind === 'epoll' ? familyOf(context, facts).slice(0, familyMax) : [];
}

/** Processes that have a timer or an epoll instance open that a thread waits on. `isRead`: they are compared later. */
export async function fileSharers(
  context: ReadContext,
  search: HolderSearch,
  facts: ProcessFacts,
  isRead: (pid: number) => boolean,
): Promise<number[]> {
  const { files, native } = context.kernel;
  const sharers: number[] = [];
  for (const file of new Set(facts.threads.flatMap((thread) => waitedFiles(facts, thread)))) {
    const hasIt = (pid: number): boolean => {
      const fds = files.numbers(`/proc/${pid}/fd`);
      return (isAbsent(fds) ? [] : fds).some(
        (fd) =>
          files.link(`/proc/${pid}/fd/${fd}`) === file.link &&
          native.sameFile(facts.pid, file.fd, pid, fd) !== false,
      );
    };
    for (const pid of await possibleSharers(context, search, facts, file))
      if (!isRead(pid) && hasIt(pid)) sharers.push(pid);
  }
  return sharers;
}

/** Threads that are compared; a pool has threads of one kind. */
const threadsMax = 64;

/** Whether a thread has left the table of open files that it began with: /proc/PID/fd does not show its files. */
export function hasFilesApart({ native }: Kernel, { pid, threads }: ProcessFacts): boolean {
  return threads
    .slice(0, threadsMax)
    .some(({ tid, state }) => tid !== pid && state !== 'Z' && native.sameFiles(pid, tid) === false);
}

function nameTwins(
  native: NativeFacts,
  facts: ProcessFacts,
  file: FdFacts,
  others: readonly ProcessFacts[],
): void {
  let left = comparisonsMax;
  for (const other of others) {
    const fds = isAbsent(other.fds) ? [] : other.fds.filter(({ kind }) => kind === file.kind);
    for (const candidate of fds) {
      left -= 1;
      if (left < 0) return;
      // Unknown counts as the same: a process that might have the file might use it.
      if (native.sameFile(facts.pid, file.fd, other.pid, candidate.fd) !== false)
        candidate.object = file.object;
    }
  }
}

/** Gives epoll instances and timers the same name wherever they are open, as the kernel does for pipes and sockets. */
export function nameAnonymousFiles(context: ReadContext, readings: readonly ProcessReading[]): void {
  const all = readings.map(({ facts }) => facts);
  for (const facts of all) {
    const waited = new Set(facts.threads.flatMap((thread) => waitedFiles(facts, thread)));
    const nameless = [...waited].filter(({ kind }) => anonymousKinds.has(kind));
    if (nameless.length === 0) continue;
    const near = new Set([...relatives(facts, all), ...familyOf(context, facts).slice(0, familyMax)]);
    // Of the others, those that were read because they have one of these files.
    const others = all.filter(({ pid, inTree }) => near.has(pid) || (!inTree && pid !== facts.pid));
    for (const file of nameless) nameTwins(context.kernel.native, facts, file, others);
  }
}

/** fdinfo shows the inode since Linux 5.14; before, the former name is compared. */
function isInode(dir: ProcessDir, fd: number, inode: string): boolean {
  const info = dir.text(`fdinfo/${fd}`);
  const found = isAbsent(info) ? undefined : /^ino:\s*(\d+)/m.exec(info)?.[1];
  return found === undefined || found === inode;
}

/** Whether a process has the file behind a mapping open although it has no name any more: it may map it at any time. */
export function mayMap(dir: ProcessDir, fds: readonly FdFacts[] | Absent, mapping: string): boolean {
  const link = unnamedFileOf(mapping);
  if (link === null || isAbsent(fds)) return false;
  return fds.some((file) => file.link === link && isInode(dir, file.fd, inodeOf(mapping)));
}

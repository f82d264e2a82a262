import { type Absent, isAbsent } from '../../../model/facts/absence.js';
import type { FdFacts, ProcessFacts } from '../../../model/facts/snapshot.js';
import type { Kernel, ProcessDir } from '../kernel/kernel.js';
import { inodeOf, unnamedFileOf } from '../proc/maps.js';
import type { ProcessReading } from '../snapshot/process.js';
import type { ReadContext } from '../snapshot/read-context.js';
import { waitedFiles } from '../snapshot/waited-objects.js';
import type { HolderSearch } from './holders.js';
import { livingDirectory, livingTask } from './living-directory.js';

/** Members of a family that are compared with one process; a server may have hundreds of workers. */
const familyMax = 64;
/** Files of relatives that are compared with one file in any case. */
const nearFilesMax = 256;

/** Kinds without a number of their own in /proc: only the kernel can distinguish two of them. */
const anonymousKinds = new Set(['epoll', 'timerfd']);

/** A call for a shared futex may wait in memory that is not mapped shared: who has that memory can end the wait, too. */
function waitsInOwnMemory({ threads }: ProcessFacts): boolean {
  return threads.some(({ call }) => {
    const futex = isAbsent(call) || call.at !== 'call' ? undefined : call.futex;
    return futex !== undefined && (futex.private || futex.mapping === null);
  });
}

/** With the process itself. */
function familyOf({ families }: ReadContext, { pid, exe }: ProcessFacts): ReadonlySet<number> {
  return exe === null ? new Set([pid]) : families.of(pid, exe);
}

/**
 * Processes that share the whole memory of this process although they are not its threads. They come from clone without
 * exec, so they are of its family; null: it is not known whether there are any.
 */
export function memorySharers(context: ReadContext, facts: ProcessFacts): number[] | null {
  if (!waitsInOwnMemory(facts) || facts.exe === null) return [];
  const { files, native, lacks } = context.kernel;
  // A parent that is not in the capture may share the memory as well.
  if (
    facts.parent > 0 &&
    lacks !== 'unsupported' &&
    isAbsent(files.link(`${livingDirectory(files, facts.parent)}/exe`))
  ) {
    context.miss('mem', facts.pid, lacks, 'which processes share their memory');
    return null;
  }
  const family = familyOf(context, facts);
  if (family.size > familyMax || context.kernel.cut !== null) {
    context.miss('mem', facts.pid, 'limit', 'which processes share their memory');
    return null;
  }
  const sharers: number[] = [];
  const own = livingTask(files, facts.pid);
  for (const pid of family) {
    if (pid === facts.pid) continue;
    const same = native.sameMemory(own, livingTask(files, pid));
    if (same === null && lacks === 'unsupported') return null;
    // In a capture, unknown counts as the same: a process that might share the memory might wake the thread.
    if (same === null) context.miss('mem', facts.pid, lacks, 'which processes share their memory');
    if (same !== false) sharers.push(pid);
  }
  return sharers;
}

/** A timer that is armed ends the wait by itself; of all others, whoever has them open can end it, however it got them. */
function mayBeShared({ kind, detail }: FdFacts): boolean {
  return kind === 'epoll' || (detail?.of === 'timerfd' && detail.leftMs === null);
}

const closedByExec = 0o2000000n;

/** Another process, of no family of this one, may have the file open. */
function noteMaybeShared(context: ReadContext, facts: ProcessFacts, file: FdFacts): void {
  const { files, lacks } = context.kernel;
  const reason = context.comparisons.isSpent ? 'limit' : lacks;
  context.miss('holders', facts.pid, reason, 'which processes share its event loops and timers');
  const info = files.text(`/proc/${comparable(facts)}/fdinfo/${file.fd}`);
  const flags = isAbsent(info) ? undefined : /^flags:\s*([0-7]+)/m.exec(info)?.[1];
  const isClosed = flags !== undefined && (BigInt(`0o${flags}`) & closedByExec) !== 0n;
  file.maybeShared = isClosed ? 'passed' : 'inherited';
}

/**
 * Those of the wanted processes that have a timer or an epoll instance open that a thread waits on. Where the kernel does
 * not compare files, only the family counts: other processes with an event loop are everywhere.
 */
export async function fileSharers(
  context: ReadContext,
  search: HolderSearch,
  facts: ProcessFacts,
  isWanted: (pid: number) => boolean,
): Promise<number[]> {
  const { files } = context.kernel;
  const sharers: number[] = [];
  const own = comparable(facts);
  for (const file of new Set(facts.threads.flatMap((thread) => waitedFiles(facts, thread)))) {
    if (!mayBeShared(file)) continue;
    for (const pid of await search.openersOf(file.link)) {
      if (!isWanted(pid)) continue;
      const { task, numbers } = search.openedBy(pid, file.link);
      const same = numbers.map((fd) => context.comparisons.sameFile(own, file.fd, task, fd));
      const isOfFamily = familyOf(context, facts).has(pid);
      // What is not known needs to be found once only.
      const matters = isOfFamily || file.maybeShared === undefined;
      // The process may also have ended, or closed it, since the search.
      const mayHaveIt = (fd: number, index: number): boolean =>
        same[index] === null && files.link(`/proc/${task}/fd/${fd}`) === file.link;
      const isUnknown = matters && numbers.some(mayHaveIt);
      if (same.includes(true) || (isUnknown && isOfFamily)) sharers.push(pid);
      else if (isUnknown) noteMaybeShared(context, facts, file);
    }
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

/** A thread of a process that was read, through which its open files can be compared. */
function comparable({ pid, state, threads }: ProcessFacts): number {
  return state === 'Z' ? (threads.find((thread) => thread.state !== 'Z')?.tid ?? pid) : pid;
}

function isNear(context: ReadContext, facts: ProcessFacts, other: ProcessFacts): boolean {
  if (other.pid === facts.parent || other.parent === facts.pid) return true;
  return (other.parent > 1 && other.parent === facts.parent) || familyOf(context, facts).has(other.pid);
}

/** Names the files of others that are the same as `file`. Those of relatives come first. */
function nameTwins(
  context: ReadContext,
  facts: ProcessFacts,
  file: FdFacts,
  others: readonly ProcessFacts[],
): void {
  const own = comparable(facts);
  let nearLeft = nearFilesMax;
  for (const other of others) {
    const fds = isAbsent(other.fds) ? [] : other.fds.filter(({ kind }) => kind === file.kind);
    for (const candidate of fds) {
      nearLeft -= 1;
      const by = nearLeft >= 0 && isNear(context, facts, other) ? context.kernel.native : context.comparisons;
      const same = by.sameFile(own, file.fd, comparable(other), candidate.fd);
      if (same ?? familyOf(context, facts).has(other.pid)) candidate.object = file.object;
      else if (same === null && file.maybeShared === undefined) noteMaybeShared(context, facts, file);
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
    const near = all.filter((other) => other.pid !== facts.pid && isNear(context, facts, other));
    const others = new Set([...near, ...all]);
    others.delete(facts);
    for (const file of nameless) nameTwins(context, facts, file, [...others]);
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

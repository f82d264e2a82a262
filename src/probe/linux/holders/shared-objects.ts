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
/** Of event loops and timers of other processes, for one snapshot: each takes a microsecond. */
const comparisonsMax = 50_000;

/** Kinds without a number of their own in /proc: only the kernel can distinguish two of them. */
const anonymousKinds = new Set(['epoll', 'timerfd']);

/** A call for a shared futex may wait in memory that is not mapped shared: who has that memory can end the wait, too. */
function waitsInOwnMemory({ threads }: ProcessFacts): boolean {
  return threads.some(({ call }) => {
    const futex = isAbsent(call) || call.at !== 'call' ? undefined : call.futex;
    return futex !== undefined && (futex.private || futex.mapping === null);
  });
}

function familyOf({ families }: ReadContext, { pid, exe }: ProcessFacts): number[] {
  return exe === null ? [] : families.of(pid, exe);
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
  if (family.length > familyMax) {
    context.miss('mem', facts.pid, 'limit', 'which processes share their memory');
    return null;
  }
  const sharers: number[] = [];
  const own = livingTask(files, facts.pid);
  for (const pid of family) {
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

/** How a process of another family may have got the file, if it has it at all. */
function wayToStrangers({ kernel }: ReadContext, pid: number, fd: number): 'passed' | 'inherited' {
  const info = kernel.files.text(`/proc/${pid}/fdinfo/${fd}`);
  const flags = isAbsent(info) ? undefined : /^flags:\s*([0-7]+)/m.exec(info)?.[1];
  return flags !== undefined && (BigInt(`0o${flags}`) & closedByExec) !== 0n ? 'passed' : 'inherited';
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
  const { files, native } = context.kernel;
  const sharers: number[] = [];
  const own = comparable(facts);
  for (const file of new Set(facts.threads.flatMap((thread) => waitedFiles(facts, thread)))) {
    if (!mayBeShared(file)) continue;
    for (const pid of await search.openersOf(file.link)) {
      if (!isWanted(pid)) continue;
      const { task, numbers } = search.openedBy(pid, file.link);
      const same = numbers.map((fd) => native.sameFile(own, file.fd, task, fd));
      // The process may also have ended, or closed it, since the search.
      const isUnknown = numbers.some(
        (fd, index) => same[index] === null && files.link(`/proc/${task}/fd/${fd}`) === file.link,
      );
      if (same.includes(true) || (isUnknown && familyOf(context, facts).includes(pid))) sharers.push(pid);
      else if (isUnknown) file.maybeShared = wayToStrangers(context, own, file.fd);
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

/** How many more comparisons are allowed; below zero: not all were made. */
function nameTwins(
  context: ReadContext,
  facts: ProcessFacts,
  file: FdFacts,
  others: readonly ProcessFacts[],
  allowed: number,
): number {
  let left = allowed;
  for (const other of others) {
    const fds = isAbsent(other.fds) ? [] : other.fds.filter(({ kind }) => kind === file.kind);
    for (const candidate of fds) {
      left -= 1;
      if (left < 0) return left;
      const { native } = context.kernel;
      const same = native.sameFile(comparable(facts), file.fd, comparable(other), candidate.fd);
      if (same ?? familyOf(context, facts).includes(other.pid)) candidate.object = file.object;
      else if (same === null) file.maybeShared = wayToStrangers(context, comparable(facts), file.fd);
    }
  }
  return left;
}

/** Gives epoll instances and timers the same name wherever they are open, as the kernel does for pipes and sockets. */
export function nameAnonymousFiles(context: ReadContext, readings: readonly ProcessReading[]): void {
  const all = readings.map(({ facts }) => facts);
  let left = comparisonsMax;
  for (const facts of all) {
    const waited = new Set(facts.threads.flatMap((thread) => waitedFiles(facts, thread)));
    const nameless = [...waited].filter(({ kind }) => anonymousKinds.has(kind));
    if (nameless.length === 0) continue;
    const others = all.filter(({ pid }) => pid !== facts.pid);
    for (const file of nameless) {
      left = nameTwins(context, facts, file, others, left);
      if (left < 0)
        context.miss('fd', facts.pid, 'limit', 'which processes share its event loops and timers');
    }
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

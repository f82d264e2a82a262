import { type Absent, isAbsent } from '../../../model/facts/absence.js';
import type { FdFacts, ProcessFacts } from '../../../model/facts/snapshot.js';
import type { ProcessDir } from '../kernel/kernel.js';
import { readFds, terminalName } from '../proc/fd.js';
import { inodeOf, unnamedFileOf } from '../proc/maps.js';
import type { ProcessReading } from '../snapshot/process.js';
import type { ReadContext } from '../snapshot/read-context.js';
import { waitedFiles } from '../snapshot/waited-objects.js';
import type { FileIdentity } from './file-identities.js';
import type { HolderSearch } from './holders.js';
import { livingDirectory, livingTask } from './living-directory.js';
import { tasksApart } from './open-objects.js';

/** Members of a family that are compared with one process; a server may have hundreds of workers. */
const familyMax = 64;

/** Kinds without a number of their own in /proc: only the kernel can distinguish two of them. */
const anonymousKinds = new Set(['epoll', 'timerfd']);

/** A call for a shared futex may wait in memory that is not mapped shared. Any process with that memory can end the wait. */
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

/** An armed timer ends the wait by itself. For an unarmed timer or an epoll instance, any process that has it open can. */
function mayBeShared({ kind, detail }: FdFacts): boolean {
  return kind === 'epoll' || (detail?.of === 'timerfd' && detail.leftMs === null);
}

const closedByExec = 0o2000000n;

/** A process outside the family may have the file open. */
function noteMaybeShared(context: ReadContext, facts: ProcessFacts, file: FdFacts): void {
  const { files, lacks } = context.kernel;
  context.miss('holders', facts.pid, lacks, 'which processes share its event loops and timers');
  const info = files.text(`/proc/${comparable(facts)}/fdinfo/${file.fd}`);
  const flags = isAbsent(info) ? undefined : /^flags:\s*([0-7]+)/m.exec(info)?.[1];
  const isClosed = flags !== undefined && (BigInt(`0o${flags}`) & closedByExec) !== 0n;
  file.maybeShared = isClosed ? 'passed' : 'inherited';
}

function sharedFiles(facts: ProcessFacts): FdFacts[] {
  const files = new Set(facts.threads.flatMap((thread) => waitedFiles(facts, thread)));
  return [...files].filter(mayBeShared);
}

/** The search for the sharers of several processes begins. */
export function expectSharers(search: HolderSearch, all: readonly ProcessFacts[]): void {
  search.expect(
    all.flatMap((facts) => sharedFiles(facts).map((file) => ({ ...file, task: comparable(facts) }))),
  );
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
  const sharers = new Set<number>();
  for (const file of sharedFiles(facts)) {
    const { same, unknown } = await search.openersOf({ ...file, task: comparable(facts) });
    for (const pid of same) if (isWanted(pid)) sharers.add(pid);
    // The process may also have ended since the search. If it lives, it may have moved the file to another number.
    const mayHaveIt = (pid: number): boolean =>
      isWanted(pid) && pid !== facts.pid && !isAbsent(files.numbers(`${livingDirectory(files, pid)}/fd`));
    const family = familyOf(context, facts);
    for (const pid of family) if (unknown.has(pid) && mayHaveIt(pid)) sharers.add(pid);
    for (const pid of file.maybeShared === undefined ? unknown : []) {
      if (family.has(pid) || !mayHaveIt(pid)) continue;
      noteMaybeShared(context, facts, file);
      break;
    }
  }
  return [...sharers];
}

/** Reads the files of threads that have left the table which they began with: /proc/PID/fd does not show them. */
export function noteFilesApart(
  { kernel, readerPid }: ReadContext,
  facts: ProcessFacts,
  dir: ProcessDir,
): void {
  const living = facts.threads.filter(({ state }) => state !== 'Z').map(({ tid }) => tid);
  const { files, native } = kernel;
  const apart = living.length > 1 ? tasksApart(files, native, facts.pid, comparable(facts), living) : [];
  if (apart?.length === 0) return;
  facts.filesApart = true;
  const terminal = terminalName(facts.terminal.number);
  facts.fdsApart = (apart ?? []).flatMap((tid) => {
    const { fds } = readFds(dir, `task/${tid}/`, terminal, facts.pid === readerPid);
    return isAbsent(fds) ? [] : fds;
  });
}

/** A thread of a process that was read, through which its open files can be compared. */
function comparable({ pid, state, threads }: ProcessFacts): number {
  return state === 'Z' ? (threads.find((thread) => thread.state !== 'Z')?.tid ?? pid) : pid;
}

/** Gives epoll instances and timers the same name wherever they are open, as the kernel does for pipes and sockets. */
export function nameAnonymousFiles(context: ReadContext, readings: readonly ProcessReading[]): void {
  const all = readings.map(({ facts }) => facts);
  const waited = all.flatMap((facts) => {
    const files = new Set(facts.threads.flatMap((thread) => waitedFiles(facts, thread)));
    const nameless = [...files].filter(({ kind }) => anonymousKinds.has(kind));
    return nameless.map((file): Opened => ({ facts, file }));
  });
  if (waited.length === 0) return;
  const twins = new Map<FileIdentity | null, FdFacts[]>();
  const every: Opened[] = [];
  for (const facts of all) {
    for (const file of isAbsent(facts.fds) ? [] : facts.fds) {
      if (!anonymousKinds.has(file.kind)) continue;
      const identity = context.identities.of(comparable(facts), file.fd);
      every.push({ facts, file });
      const same = twins.get(identity);
      if (same === undefined) twins.set(identity, [file]);
      else same.push(file);
    }
  }
  const unknown = new Set(twins.get(null));
  for (const { facts, file } of waited) {
    const isUnknown = unknown.has(file);
    if (!isUnknown) {
      const same = twins.get(context.identities.of(comparable(facts), file.fd)) ?? [];
      for (const twin of same) twin.object = file.object;
    }
    if (unknown.size > 0)
      nameInFamily(context, { facts, file }, every, (one) => isUnknown || unknown.has(one));
  }
}

interface Opened {
  facts: ProcessFacts;
  file: FdFacts;
}

/** Of files that cannot be compared, those of the family count as the same. */
function nameInFamily(
  context: ReadContext,
  { facts, file }: Opened,
  every: readonly Opened[],
  isUnknown: (file: FdFacts) => boolean,
): void {
  const family = familyOf(context, facts);
  for (const other of every) {
    if (other.facts === facts || other.file.kind !== file.kind || !isUnknown(other.file)) continue;
    if (family.has(other.facts.pid)) other.file.object = file.object;
    else if (file.maybeShared === undefined) noteMaybeShared(context, facts, file);
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

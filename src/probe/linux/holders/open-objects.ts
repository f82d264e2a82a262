import { type Absent, isAbsent } from '../../../model/facts/absence.js';
import { filterListener } from '../../../model/facts/calls.js';
import type { FdKind } from '../../../model/facts/snapshot.js';
import type { KernelFiles, NativeFacts } from '../kernel/kernel.js';
import { classifyLink, type Effort, readEach } from '../proc/fd.js';
import { parseFdinfo, registeredIn } from '../proc/fdinfo.js';
import { taskDirectory } from './living-directory.js';

/** Open files whose object, or further objects, only fdinfo names. */
const namedByInfo: ReadonlySet<FdKind> = new Set(['eventfd', 'ptmx', 'io_uring']);

/** Where an object is open. */
export interface Opening {
  /** A thread whose table of open files it is in. */
  readonly task: number;
  readonly fd: number;
  /** The number is that of an io_uring, which keeps the object open. */
  readonly inRing?: true;
}

interface ObjectsRead {
  objects: Map<string, Opening[]> | Absent;
  /** No: it changed its open files during each reading, or what an io_uring of it keeps open is not known. */
  isWhole: boolean;
}

/** What is open under a number: its link, and the objects that it keeps open. */
interface Found {
  link: string;
  objects: readonly { object: string; inRing?: true }[];
  /** No: an io_uring keeps files open that are not shown. */
  isWhole: boolean;
}

/**
 * The open objects of a process that a thread could wait for; `tasks`: one thread for each of its tables of open files.
 * `stoodStill`: it provably did nothing since before this call.
 */
export function readObjects(
  files: KernelFiles,
  pid: number,
  tasks: readonly number[],
  isReader: boolean,
  stoodStill: () => boolean,
  effort: Effort,
): ObjectsRead {
  const objects = new Map<string, Opening[]>();
  const seen = new Set<string>();
  let isWhole = true;
  for (const [index, task] of tasks.entries()) {
    const directory = taskDirectory(pid, task);
    const read = (fd: number): string | null => {
      const found = readObject(files, directory, fd);
      // The reader itself opens and closes directories.
      if (found === null) return isReader ? '' : null;
      if (!found.isWhole) isWhole = false;
      for (const { object, inRing } of found.objects) {
        const key = `${task} ${fd} ${object}`;
        if (seen.has(key)) continue;
        seen.add(key);
        const opening = { task, fd, ...(inRing && { inRing }) };
        const openings = objects.get(object);
        if (openings === undefined) objects.set(object, [opening]);
        else openings.push(opening);
      }
      return found.link;
    };
    const end = readEach(
      () => files.numbers(`${directory}/fd`),
      read,
      () => isReader || stoodStill(),
      effort,
    );
    if (end === 'restless') isWhole = false;
    // Another thread may end at any time.
    else if (end !== 'whole' && index === 0) return { objects: end, isWhole };
  }
  return { objects, isWhole };
}

/** null: the number is closed. */
function readObject(files: KernelFiles, directory: string, fd: number): Found | null {
  const link = files.link(`${directory}/fd/${fd}`);
  if (isAbsent(link)) return link.absent === 'gone' ? null : { link: '', objects: [], isWhole: true };
  const { kind, object } = classifyLink(link, null);
  if (kind === 'null' || kind === 'device' || (kind === 'other' && object !== filterListener))
    return { link, objects: [], isWhole: true };
  if (!namedByInfo.has(kind)) return { link, objects: [{ object }], isWhole: true };
  const info = files.text(`${directory}/fdinfo/${fd}`);
  if (isAbsent(info))
    return info.absent === 'gone' ? null : { link, objects: [{ object }], isWhole: kind !== 'io_uring' };
  const own = { object: parseFdinfo(kind, info).object ?? object };
  if (kind !== 'io_uring') return { link, objects: [own], isWhole: true };
  const registered = registeredIn(info);
  const kept = (registered ?? []).map((file) => ({
    object: classifyLink(file, null).object,
    inRing: true as const,
  }));
  return { link, objects: [own, ...kept], isWhole: registered !== null };
}

/** Threads whose tables of open files are compared with that of the first. */
const threadsMax = 4096;
const tablesMax = 16;

/** One thread for each table of open files other than that of `task`; null: there are too many threads or tables. */
export function tasksApart(
  files: KernelFiles,
  { sameFiles }: Pick<NativeFacts, 'sameFiles'>,
  pid: number,
  task: number,
  tids: readonly number[],
): number[] | null {
  if (tids.length > threadsMax) return null;
  const isSame = (a: number, b: number) => sameFiles(a, b) ?? opensTheSame(files, pid, a, b);
  const apart: number[] = [];
  for (const tid of tids) {
    if (tid === task || isSame(task, tid) || apart.some((other) => isSame(other, tid))) continue;
    if (apart.length === tablesMax) return null;
    apart.push(tid);
  }
  return apart;
}

/** Where the kernel does not compare tables: a table of its own has other numbers, sooner or later. */
function opensTheSame(files: KernelFiles, pid: number, a: number, b: number): boolean {
  const [one, other] = [a, b].map((task) => files.numbers(`${taskDirectory(pid, task)}/fd`));
  // A thread that has ended has no files.
  return isAbsent(one) || isAbsent(other) || `${one}` === `${other}`;
}

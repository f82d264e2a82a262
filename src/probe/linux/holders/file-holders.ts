import { isAbsent } from '../../../model/facts/absence.js';
import type { KernelFiles, NativeFacts } from '../kernel/kernel.js';
import { liveFiles } from '../kernel/live-files.js';
import { NumbersGiven } from '../machine/pid-turnover.js';
import { RunStamp } from '../members/run-stamp.js';
import { sameFiles } from '../native/kcmp.js';
import { type Effort, quick, thorough } from '../proc/fd.js';
import { mapsShared } from '../proc/maps.js';
import { parseStat, type Stat } from '../proc/stat.js';
import { Turn } from '../snapshot/turn.js';
import { hasDeadLeader, livingTask, taskDirectory } from './living-directory.js';
import { type Opening, readObjects, tasksApart } from './open-objects.js';

/** On a machine with very many processes an answer in time is worth more than a complete search. */
const searchMsMax = 1000;
/** A search that no request waits for, and whose result is kept, may take longer once. */
const rememberedMsMax = 4000;

/** An incomplete search proves nothing: it may take this many times longer where other processes have the CPU. */
const busyFactor = 4;

/** A process that may have something open. */
interface Candidate {
  readonly pid: number;
  readonly session: number;
  /** The thread that shows its memory and open files. */
  readonly task: number;
  readonly threads: number;
  /** null: nothing proves that the process does not run. */
  readonly stamp: Stamp | null;
}

interface Holder extends Candidate {
  /** One thread for each further table of open files. */
  readonly apart: readonly number[];
  /** null: not readable for this user. */
  readonly objects: ReadonlyMap<string, readonly Opening[]> | null;
}

export interface FileHoldersOptions {
  /** More searches will follow: a process that provably did not run until then is not read again. */
  remember?: boolean;
  /** Processes whose open files are known from elsewhere, to every caller. */
  except?: (pid: number) => boolean;
  files?: KernelFiles;
  native?: Pick<NativeFacts, 'sameFiles'>;
  takeStamp?: TakeStamp;
  /** Opens and closes directories while it reads them. */
  readerPid?: number;
}

const nobody: ReadonlySet<number> = new Set();

type Stamp = Pick<RunStamp, 'isUnchanged' | 'stoodStill' | 'hasRun'>;

type TakeStamp = (pid: number, readStat: () => Stat | null) => { stat: Stat | null; stamp: Stamp | null };

/** The files of a process are read once for a capture, and do not change afterwards. */
const takeCaptured: TakeStamp = (_, readStat) => ({
  stat: readStat(),
  stamp: { isUnchanged: () => true, stoodStill: () => true, hasRun: () => false },
});

/** Which processes on this machine have which kernel object open. */
export class FileHolders {
  readonly files: KernelFiles;
  readonly #native: Pick<NativeFacts, 'sameFiles'>;
  readonly #takeStamp: TakeStamp;
  readonly #readerPid: number;
  readonly #remember: boolean;
  readonly #except: (pid: number) => boolean;
  readonly #known = new Map<number, Holder>();
  readonly #byObject = new Map<string, Set<number>>();
  /** Processes whose open files this user may not read, with their sessions. */
  readonly unreadable = new Map<number, number>();
  /** Processes that change their open files all the time, with their sessions: some may have been overlooked. */
  readonly restless = new Map<number, number>();
  readonly #numbers: NumbersGiven;
  #listed: ReadonlySet<number> = nobody;
  #going: Promise<unknown> = Promise.resolve();

  constructor({
    remember = false,
    except = () => false,
    files = liveFiles,
    native = { sameFiles },
    takeStamp = files === liveFiles ? RunStamp.take : takeCaptured,
    readerPid = process.pid,
  }: FileHoldersOptions = {}) {
    this.files = files;
    this.#native = native;
    this.#takeStamp = takeStamp;
    this.#readerPid = readerPid;
    this.#numbers = new NumbersGiven(files);
    this.#remember = remember;
    this.#except = except;
  }

  /**
   * Searches the open files of all processes. It uses nothing older than this call. Returns why it is not complete;
   * null: it is. `isNear`: sessions whose processes come first.
   */
  search(isNear: (session: number) => boolean): Promise<string | null> {
    const search = this.#going.then(() => this.#search(isNear));
    this.#going = search.catch(() => {});
    return search;
  }

  /**
   * Reads only the processes that were not there at the last search: a holder may have forked after it was read. A
   * process that got a descriptor in another way since then is not seen; that is the price of reading each process only
   * once.
   */
  searchNew(): Promise<number[]> {
    const search = this.#going.then(() => this.#searchNew());
    this.#going = search.catch(() => {});
    return search;
  }

  holds(pid: number, object: string): boolean {
    return this.#byObject.get(object)?.has(pid) === true;
  }

  /** Where a process had the object open when it was read. */
  openedBy(pid: number, object: string): readonly Opening[] {
    return this.#known.get(pid)?.objects?.get(object) ?? [];
  }

  /** Tables of open files of a process that was read, as threads that have them. */
  tablesOf(pid: number): readonly number[] {
    const known = this.#known.get(pid);
    return known === undefined ? [] : [known.task, ...known.apart];
  }

  /** It provably did nothing since its open files were read, or it is the reader, which only opens and closes directories. */
  stoodStill(pid: number): boolean {
    return pid === this.#readerPid || this.#known.get(pid)?.stamp?.stoodStill() === true;
  }

  /** Processes that may have done something since their open files were read; null in the place of each other one. */
  *whoRan(): Generator<number | null> {
    for (const [pid, { stamp, objects }] of this.#known)
      yield objects !== null && pid !== this.#readerPid && stamp?.hasRun() !== false ? pid : null;
  }

  /** Inodes of all sockets that were found open. */
  *socketInodes(): Generator<number> {
    for (const object of this.#byObject.keys())
      if (object.startsWith('socket:')) yield Number(object.slice('socket:'.length));
  }

  of(object: string): ReadonlySet<number> {
    return this.#byObject.get(object) ?? nobody;
  }

  /** Processes that map this device and inode shared; not whole: some were not captured. */
  async mappersOf(mapping: string): Promise<{ pids: number[]; isWhole: boolean }> {
    const pids: number[] = [];
    let isWhole = true;
    const turn = new Turn();
    for (const [pid, { task }] of [...this.#known]) {
      const maps = this.files.text(`${taskDirectory(pid, task)}/maps`);
      if (isAbsent(maps)) isWhole &&= maps.absent !== 'uncaptured';
      else if (mapsShared(maps, mapping)) pids.push(pid);
      if (turn.isOver) await turn.next();
    }
    return { pids, isWhole };
  }

  async #search(isNear: (session: number) => boolean): Promise<string | null> {
    const turn = new Turn();
    const mostMs = this.#remember ? rememberedMsMax : searchMsMax;
    const candidates = await this.#candidates(turn);
    // Relatives first, then the youngest: a process that shares a file with the tree is most often near it.
    const distance = ({ session }: Candidate): number => (isNear(session) ? 0 : 1);
    candidates.sort((a, b) => distance(a) - distance(b) || b.pid - a.pid);
    for (const [index, candidate] of candidates.entries()) {
      if (turn.spentMs > mostMs && (turn.cpuMs > mostMs || turn.spentMs > busyFactor * mostMs)) {
        for (const { pid } of candidates.slice(index)) this.#forget(pid);
        return `the search through all processes was stopped after ${Math.round(turn.spentMs)} ms`;
      }
      this.#readFiles(candidate, isNear(candidate.session) ? thorough : quick);
      if (turn.isOver) await turn.next();
    }
    return null;
  }

  async #searchNew(): Promise<number[]> {
    const turn = new Turn();
    const isGiven = this.#numbers.sinceLastTime();
    const before = this.#listed;
    this.#listed = listProcesses(this.files);
    const found: number[] = [];
    for (const pid of this.#listed) {
      if (before.has(pid) && !isGiven(pid)) continue;
      if (turn.isOver) await turn.next();
      const candidate = this.#except(pid) ? null : this.#read(pid);
      this.#forget(pid);
      if (candidate === null) continue;
      this.#readFiles(candidate, thorough);
      found.push(pid);
    }
    return found;
  }

  /** Every process except those that are unchanged. */
  async #candidates(turn: Turn): Promise<Candidate[]> {
    const isGiven = this.#numbers.sinceLastTime();
    const pids = listProcesses(this.files);
    this.#listed = pids;
    for (const pid of [...this.#known.keys()]) if (!pids.has(pid)) this.#forget(pid);
    const candidates: Candidate[] = [];
    for (const pid of pids) {
      if (turn.isOver) await turn.next();
      if (this.#except(pid)) continue;
      if (this.#remember && !isGiven(pid) && this.#known.get(pid)?.stamp?.isUnchanged() === true) continue;
      const candidate = this.#read(pid);
      if (candidate === null) this.#forget(pid);
      else candidates.push(candidate);
    }
    return candidates;
  }

  #read(pid: number): Candidate | null {
    const readStat = (): Stat | null => {
      const bytes = this.files.bytes(`/proc/${pid}/stat`);
      return Buffer.isBuffer(bytes) ? parseStat(bytes) : null;
    };
    const { stat, stamp } = this.#takeStamp(pid, readStat);
    // Kernel threads (children of 2) have no open files.
    if (stat === null || stat.parent === 2 || pid === 2) return null;
    if (stat.state === 'Z' && !hasDeadLeader(stat)) return null;
    const { session, threads } = stat;
    return { pid, session, task: livingTask(this.files, pid, stat), threads, stamp };
  }

  #readFiles(candidate: Candidate, effort: Effort): void {
    const { pid, task, stamp } = candidate;
    const apart = this.#tasksApart(candidate);
    const tasks = [task, ...(apart ?? [])];
    const stoodStill = () => stamp?.stoodStill() === true;
    const { objects, isWhole } = readObjects(
      this.files,
      pid,
      tasks,
      pid === this.#readerPid,
      stoodStill,
      effort,
    );
    this.#forget(pid);
    if (!isWhole || apart === null) this.restless.set(pid, candidate.session);
    if (!isAbsent(objects)) {
      this.#known.set(pid, { ...candidate, apart: apart ?? [], objects });
      for (const object of objects.keys()) {
        const holders = this.#byObject.get(object);
        if (holders === undefined) this.#byObject.set(object, new Set([pid]));
        else holders.add(pid);
      }
    } else if (objects.absent !== 'gone') {
      this.#known.set(pid, { ...candidate, apart: [], objects: null });
      this.unreadable.set(pid, candidate.session);
    }
  }

  #tasksApart({ pid, task, threads }: Candidate): number[] | null {
    if (threads <= 1) return [];
    const tids = this.files.numbers(`/proc/${pid}/task`);
    // A leader that has ended has no files.
    const living = isAbsent(tids) ? [] : tids.filter((tid) => tid !== pid);
    return tasksApart(this.files, this.#native, pid, task, living);
  }

  #forget(pid: number): void {
    const objects = this.#known.get(pid)?.objects?.keys() ?? [];
    this.#known.delete(pid);
    this.unreadable.delete(pid);
    this.restless.delete(pid);
    for (const object of objects) {
      const holders = this.#byObject.get(object);
      holders?.delete(pid);
      if (holders?.size === 0) this.#byObject.delete(object);
    }
  }
}

function listProcesses(files: KernelFiles): Set<number> {
  const listed = files.numbers('/proc');
  return new Set(isAbsent(listed) ? [] : listed);
}

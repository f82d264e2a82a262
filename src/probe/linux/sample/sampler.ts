import type { EndedProcess, ProcessIo, ProcessSample, Sample } from '../../../model/facts/sample.js';
import { keptDescriptorsMax } from '../machine/descriptors.js';
import { reasonOf } from '../proc/proc-file.js';
import { ByteReader, takeIo, takeStat } from './bytes.js';
import { closeFiles, openFiles, readFile, type SampleFiles, sampleBytesMax } from './files.js';
import { didNotRun, isCrowded, isOther } from './unchanged.js';

const filesPerProcess = 3;
/** State, parent and resident pages may change without running: they are read this often, not all at the same tick. */
const statEverySweeps = 12;

export interface SamplerOptions {
  /** Descriptors to keep open; processes beyond that are opened anew at every tick. */
  keptFilesMax?: number;
  /** Reads everything of every process at every tick, also of processes that provably did not run. */
  always?: boolean;
  /** Whether CPUs are scarce; the kernel's answer, unless a test overrides it. */
  isCrowded?: () => boolean;
}

/** Everything; only facts that can change without running; nothing, if the process did not run. */
type Want = 'all' | 'stat' | 'changes';

interface Member {
  readonly pid: number;
  startTicks: number;
  files: SampleFiles | null;
  ioDenied: boolean;
  last: ProcessSample | null;
  sweeps: number;
}

type Counters = { -readonly [K in keyof NonNullable<ProcessSample['mainThread']>]: number };

type Reading = ProcessSample | 'ended' | 'unread';

/** Follows a set of processes and reads the numbers of one tick, as cheaply as the kernel allows. */
export class Sampler {
  readonly #members = new Map<number, Member>();
  readonly #reader = new ByteReader(Buffer.allocUnsafeSlow(sampleBytesMax));
  readonly #keptFilesMax: number;
  readonly #always: boolean;
  readonly #isCrowded: () => boolean;
  readonly #counters: Counters = { ranNs: 0, delayedNs: 0, runs: 0 };
  #ended: EndedProcess[] = [];
  #keptFiles = 0;

  constructor(options: SamplerOptions = {}) {
    this.#keptFilesMax = options.keptFilesMax ?? keptDescriptorsMax();
    this.#always = options.always ?? false;
    this.#isCrowded = options.isCrowded ?? isCrowded;
  }

  follows(pid: number): boolean {
    return this.#members.has(pid);
  }

  /** Follows a process from now on, unless there is none with this pid, or it cannot be read now. */
  add(pid: number): 'followed' | 'ended' | 'unread' {
    const known = this.#members.get(pid);
    if (known !== undefined) {
      if (this.#read(known) !== 'ended') return 'followed';
      this.#end(known);
    }
    const member: Member = { pid, startTicks: -1, files: null, ioDenied: false, last: null, sweeps: 0 };
    if (this.#keptFiles + filesPerProcess <= this.#keptFilesMax) this.#keep(member);
    const reading = this.#read(member);
    if (typeof reading !== 'string') {
      member.last = reading;
      this.#members.set(pid, member);
      return 'followed';
    }
    this.#release(member);
    return reading;
  }

  remove(pid: number): void {
    const member = this.#members.get(pid);
    if (member === undefined) return;
    this.#release(member);
    this.#members.delete(pid);
  }

  /** A tick of all followed processes, or of those among `pids`. */
  sweep(pids?: Iterable<number>): Sample {
    const atMs = performance.now();
    const processes: ProcessSample[] = [];
    const unread: number[] = [];
    // Woken but not yet on a CPU, a process has another state and the old counters: that lasts where CPUs are scarce.
    const usual: Want = this.#always ? 'all' : this.#isCrowded() ? 'stat' : 'changes';
    for (const pid of pids ?? this.#members.keys()) {
      const member = this.#members.get(pid);
      if (member === undefined) continue;
      member.sweeps += 1;
      const want = usual === 'changes' && (pid + member.sweeps) % statEverySweeps === 0 ? 'stat' : usual;
      const reading = this.#read(member, want);
      if (reading === 'ended') this.#end(member);
      else if (reading === 'unread') unread.push(member.pid);
      else {
        member.last = reading;
        processes.push(reading);
      }
    }
    const ended = this.#ended;
    this.#ended = [];
    if (ended.length > 0) this.#rereadOrphans(processes, new Set(ended.map(({ pid }) => pid)));
    return { atMs, processes, ended, unread };
  }

  close(): void {
    for (const member of this.#members.values()) this.#release(member);
    this.#members.clear();
    this.#ended = [];
  }

  #rereadOrphans(processes: ProcessSample[], ended: ReadonlySet<number>): void {
    for (const [index, { pid, parent }] of processes.entries()) {
      const member = ended.has(parent) ? this.#members.get(pid) : undefined;
      const reading = member === undefined ? 'unread' : this.#read(member, 'stat');
      if (member === undefined || typeof reading === 'string') continue;
      member.last = reading;
      processes[index] = reading;
    }
  }

  #end(member: Member): void {
    this.#release(member);
    this.#members.delete(member.pid);
    this.#ended.push({ pid: member.pid, startTicks: member.startTicks });
  }

  #read(member: Member, want: Want = 'all'): Reading {
    try {
      return member.files === null ? this.#readOnce(member) : this.#readKept(member, member.files, want);
    } catch (error) {
      const reason = reasonOf(error);
      if (reason === 'gone') return 'ended';
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
      return reason === 'limit' && this.#makeRoom() ? this.#read(member, want) : 'unread';
    }
  }

  #readKept(member: Member, files: SampleFiles, want: Want): Reading {
    // The counter is read before everything it vouches for.
    const counters = this.#takeCounters(files.schedstat);
    const { last } = member;
    const still = want !== 'all' && last !== null && didNotRun(last, counters);
    if (still && want === 'changes') return last;
    // A kernel that does not count prints zeros for ever.
    const mainThread = counters.runs === 0 ? null : { ...counters };
    if (still) {
      const now = this.#takeStat(member, files.stat, mainThread, last.io);
      return now === 'ended' || isOther(now, last) ? now : last;
    }
    const io = files.io === null || member.ioDenied ? null : this.#takeIo(member, files.io);
    return this.#takeStat(member, files.stat, mainThread, io);
  }

  /**
   * Out of descriptors: by path, which the next process with this pid would answer too. So stat is opened first and
   * read last: if it still answers, and with the same start time, all reads in between were of this process.
   */
  #readOnce(member: Member): Reading {
    const files = openOf(member);
    try {
      return this.#readKept(member, files, 'all');
    } finally {
      closeFiles(files);
    }
  }

  /** Into the same object every time: most processes did not run, and then nothing of it is kept. */
  #takeCounters(fd: number | null): Counters {
    const counters = this.#counters;
    const reader = this.#reader;
    reader.begin(fd === null ? 0 : readFile(fd, reader.bytes));
    counters.ranNs = reader.number();
    counters.delayedNs = reader.number();
    counters.runs = reader.number();
    return counters;
  }

  #takeIo(member: Member, fd: number): ProcessIo | null {
    const reader = this.#reader;
    try {
      reader.begin(readFile(fd, reader.bytes));
    } catch (error) {
      const reason = reasonOf(error);
      if (reason !== 'not-permitted' && reason !== 'gone') throw error;
      // The kernel checks the right at each read: the process has become a program of another user. stat shows whether
      // it is gone.
      member.ioDenied = reason === 'not-permitted';
      return null;
    }
    return takeIo(reader);
  }

  #takeStat(
    member: Member,
    fd: number,
    mainThread: ProcessSample['mainThread'],
    io: ProcessIo | null,
  ): ProcessSample | 'ended' {
    const reader = this.#reader;
    reader.begin(readFile(fd, reader.bytes));
    const stat = takeStat(reader);
    if (stat === null) return 'ended';
    if (member.startTicks === -1) member.startTicks = stat.startTicks;
    else if (member.startTicks !== stat.startTicks) return 'ended';
    return { pid: member.pid, ...stat, mainThread, io };
  }

  #keep(member: Member): void {
    try {
      member.files = openOf(member);
      this.#keptFiles += filesPerProcess;
    } catch {
      // Gone or out of descriptors: the first read by path shows which.
    }
  }

  #release(member: Member): void {
    if (member.files === null) return;
    closeFiles(member.files);
    member.files = null;
    this.#keptFiles -= filesPerProcess;
  }

  /** Other files took the descriptors that were left free: a process is followed by path from now on. */
  #makeRoom(): boolean {
    for (const member of this.#members.values()) {
      if (member.files === null) continue;
      this.#release(member);
      return true;
    }
    return false;
  }
}

function openOf(member: Member): SampleFiles {
  const files = openFiles(member.pid, { io: !member.ioDenied });
  member.ioDenied = files.io === null;
  return files;
}

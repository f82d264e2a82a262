import type { EndedProcess, ProcessIo, ProcessSample, Sample } from '../../model/sample.js';
import { reasonOf } from './proc-file.js';
import { ByteReader, takeIo, takeStat } from './sample-bytes.js';
import {
  closeFiles,
  keptFilesDefault,
  openFiles,
  readFile,
  type SampleFiles,
  sampleBytesMax,
} from './sample-files.js';

const filesPerProcess = 3;
/** Resident pages change without the process running, and so does the parent: all is read this often. */
const wholeEverySweeps = 60;

export interface SamplerOptions {
  /** Descriptors to keep open; processes beyond that are opened anew at every tick. */
  keptFilesMax?: number;
  /** Reads everything of everybody at every tick, also of those that provably did not run. */
  always?: boolean;
}

interface Member {
  readonly pid: number;
  startTicks: number;
  files: SampleFiles | null;
  ioDenied: boolean;
  last: ProcessSample | null;
}

type Reading = ProcessSample | 'ended' | 'unread';

/** Follows a set of processes and reads the numbers of one tick, as cheaply as the kernel lets us. */
export class Sampler {
  readonly #members = new Map<number, Member>();
  readonly #reader = new ByteReader(Buffer.allocUnsafeSlow(sampleBytesMax));
  readonly #keptFilesMax: number;
  readonly #always: boolean;
  #ended: EndedProcess[] = [];
  #keptFiles = 0;
  #sweeps = 0;

  constructor({ keptFilesMax = keptFilesDefault(), always = false }: SamplerOptions = {}) {
    this.#keptFilesMax = keptFilesMax;
    this.#always = always;
  }

  get size(): number {
    return this.#members.size;
  }

  /** Follows a process from now on; false: there is none with this number (or not one descriptor left). */
  add(pid: number): boolean {
    const known = this.#members.get(pid);
    if (known !== undefined) {
      if (this.#read(known) !== 'ended') return true;
      this.#end(known);
    }
    const member: Member = { pid, startTicks: -1, files: null, ioDenied: false, last: null };
    if (this.#keptFiles + filesPerProcess <= this.#keptFilesMax) this.#keep(member);
    const reading = this.#read(member);
    if (typeof reading !== 'string') {
      member.last = reading;
      this.#members.set(pid, member);
      return true;
    }
    this.#release(member);
    return false;
  }

  remove(pid: number): void {
    const member = this.#members.get(pid);
    if (member === undefined) return;
    this.#release(member);
    this.#members.delete(pid);
  }

  /** One tick. */
  sweep(): Sample {
    const atMs = performance.now();
    const processes: ProcessSample[] = [];
    const unread: number[] = [];
    let turn = this.#sweeps++;
    for (const member of this.#members.values()) {
      turn += 1;
      const whole = this.#always || turn % wholeEverySweeps === 0;
      const reading = this.#read(member, whole ? null : member.last);
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
      const reading = member === undefined ? 'unread' : this.#read(member);
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

  /** `last`: what may be given again if the process did not run since. */
  #read(member: Member, last: ProcessSample | null = null): Reading {
    try {
      return member.files === null ? this.#readOnce(member) : this.#readKept(member, member.files, last);
    } catch (error) {
      const reason = reasonOf(error);
      if (reason === 'gone') return 'ended';
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
      return reason === 'limit' && this.#makeRoom() ? this.#read(member, last) : 'unread';
    }
  }

  #readKept(member: Member, files: SampleFiles, last: ProcessSample | null): Reading {
    // The counter is read before everything it vouches for.
    const mainThread = this.#takeMainThread(files.schedstat);
    if (last !== null && didNotRun(last, mainThread)) return last;
    const io = files.io === null || member.ioDenied ? null : this.#takeIo(member, files.io);
    return this.#takeStat(member, files.stat, mainThread, io);
  }

  /**
   * Out of descriptors: by path, which the next process with this number would answer too. So stat is opened
   * first and read last: if it still answers, and with the same start time, all in between was this process.
   */
  #readOnce(member: Member): Reading {
    const files = openOf(member);
    try {
      return this.#readKept(member, files, null);
    } finally {
      closeFiles(files);
    }
  }

  #takeMainThread(fd: number | null): ProcessSample['mainThread'] {
    if (fd === null) return null;
    const reader = this.#reader;
    reader.begin(readFile(fd, reader.bytes));
    const ranNs = reader.number();
    const delayedNs = reader.number();
    const runs = reader.number();
    // A kernel that does not count prints zeros for ever.
    return runs === 0 ? null : { ranNs, delayedNs, runs };
  }

  #takeIo(member: Member, fd: number): ProcessIo | null {
    const reader = this.#reader;
    try {
      reader.begin(readFile(fd, reader.bytes));
    } catch (error) {
      const reason = reasonOf(error);
      if (reason !== 'not-permitted' && reason !== 'gone') throw error;
      // Checked anew at each read: it has become a program of another user. Whether it is gone, stat tells.
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
  ): Reading {
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
      // Gone or out of descriptors: the first read by path tells which.
    }
  }

  #release(member: Member): void {
    if (member.files === null) return;
    closeFiles(member.files);
    member.files = null;
    this.#keptFiles -= filesPerProcess;
  }

  /** Others took the descriptors we left free: one process is followed by path from now on. */
  #makeRoom(): boolean {
    for (const member of this.#members.values()) {
      if (member.files === null) continue;
      this.#release(member);
      return true;
    }
    return false;
  }
}

/** Its only thread was off the CPU and has not been on one since: no counter of it can have changed. */
function didNotRun(last: ProcessSample, now: ProcessSample['mainThread']): boolean {
  const before = last.mainThread;
  return (
    before !== null &&
    now !== null &&
    last.threads === 1 &&
    last.state !== 'R' &&
    before.runs === now.runs &&
    before.ranNs === now.ranNs
  );
}

function openOf(member: Member): SampleFiles {
  const files = openFiles(member.pid, { io: !member.ioDenied });
  member.ioDenied = files.io === null;
  return files;
}

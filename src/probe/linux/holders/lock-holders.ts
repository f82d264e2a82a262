import { isAbsent } from '../../../model/facts/absence.js';
import { isLockOfFile } from '../../../model/facts/calls.js';
import type { FileLockFacts, ProcessFacts, ThreadFacts } from '../../../model/facts/snapshot.js';
import { locksIn } from '../proc/fdinfo.js';
import type { ProcessReading } from '../snapshot/process.js';
import type { ReadContext } from '../snapshot/read-context.js';
import { waitedFiles } from '../snapshot/waited-objects.js';
import type { HolderSearch } from './holders.js';

/** `1: -> FLOCK  ADVISORY  WRITE 12416 fe:00:2146322 0 EOF`: a row with an arrow waits behind row 1. */
const row = /^(\d+):(\s+->)?\s+(\S+)\s+\S+\s+(\S+)\s+(-?\d+)\s+(\S+)/;

export function parseLocks(text: string): FileLockFacts[] {
  const locks: FileLockFacts[] = [];
  for (const line of text.split('\n')) {
    const match = row.exec(line);
    if (match === null) continue;
    const [, id, arrow, type = '', mode = '', pid, file = ''] = match;
    locks.push({ id: Number(id), type, mode, pid: Number(pid), file, held: arrow === undefined });
  }
  return locks;
}

/** The holders of the file locks that are waited for. Reads /proc/locks once, for the first waiter. */
export class LockHolders {
  rows: FileLockFacts[] = [];
  readonly #context: ReadContext;
  readonly #search: HolderSearch;
  readonly #reading: (pid: number) => ProcessReading | null;
  readonly #known: () => number[];
  #read = false;

  /** `reading` reads a process, or returns the earlier reading; `known` lists the processes that were read. */
  constructor(
    context: ReadContext,
    search: HolderSearch,
    reading: (pid: number) => ProcessReading | null,
    known: () => number[],
  ) {
    this.#context = context;
    this.#search = search;
    this.#reading = reading;
    this.#known = known;
  }

  async holdersFor(waiter: ProcessFacts, { tid, call }: ThreadFacts): Promise<number[]> {
    this.#readRows();
    if (!isAbsent(call) && call.at === 'call' && isLockOfFile(call)) return this.#heirs(waiter, 'OFDLCK');
    const waiting = this.rows.filter(({ held, pid }) => !held && (pid === waiter.pid || pid === tid));
    const holders = this.rows.filter(({ held, id }) => held && waiting.some((row) => row.id === id));
    const pids: number[] = [];
    for (const { pid, type } of holders) {
      if (this.#isThere(pid)) pids.push(pid);
      // Every process that shares the open file (of a POSIX lock: the table of open files) may release it, also beside the
      // one that took it, which may have closed its own descriptor.
      pids.push(...(await this.#heirs(waiter, type)));
    }
    return pids;
  }

  #isThere(pid: number): boolean {
    return Buffer.isBuffer(this.#context.kernel.files.bytes(`/proc/${pid}/stat`));
  }

  #readRows(): void {
    if (this.#read) return;
    this.#read = true;
    const text = this.#context.kernel.files.text('/proc/locks');
    if (isAbsent(text)) this.#context.miss('locks', null, text.absent);
    else this.rows = parseLocks(text);
  }

  /** Processes that keep such a lock through an open file. */
  async #heirs(waiter: ProcessFacts, type: string): Promise<number[]> {
    const files = waiter.threads.flatMap((thread) => waitedFiles(waiter, thread));
    const links = files.map(({ link }) => link);
    const pids = new Set(this.#known());
    for (const { object } of files) for (const pid of await this.#search.mayLock(object, type)) pids.add(pid);
    // A process that waits for a lock has the file open, too. Of locks of open files no row names the waiters.
    const waits = new Set(this.rows.filter(({ held }) => !held).map(({ pid }) => pid)).add(waiter.pid);
    return [...pids].filter((pid) => this.#keepsLock(pid, links, type, type === 'FLOCK' && !waits.has(pid)));
  }

  /** `mayKeep`: so does a process that has the file open, if it cannot be read whether it holds a lock through it. */
  #keepsLock(pid: number, links: readonly string[], type: string, mayKeep: boolean): boolean {
    const reading = this.#reading(pid);
    if (reading === null || isAbsent(reading.facts.fds)) return false;
    const { lacks } = this.#context.kernel;
    let keeps = false;
    for (const file of reading.facts.fds) {
      if (file.kind !== 'file' || !links.includes(file.link)) continue;
      const info = reading.dir.text(`fdinfo/${file.fd}`);
      const isUnread = mayKeep && isAbsent(info) && (info.absent !== 'gone' || lacks === 'uncaptured');
      const locks = isAbsent(info) ? 0 : locksIn(info, type);
      if (locks === 0 && !isUnread) continue;
      // It may keep the lock, and release it.
      if (isUnread) this.#context.miss('fdinfo', pid, lacks ?? info.absent, 'which files are locked');
      file.detail = { of: 'locked', locks };
      keeps = true;
    }
    return keeps;
  }
}

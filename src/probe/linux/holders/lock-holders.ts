import { isAbsent } from '../../../model/facts/absence.js';
import type { FileLockFacts, ProcessFacts } from '../../../model/facts/snapshot.js';
import { locksIn } from '../proc/fdinfo.js';
import { readBytes, readText } from '../proc/proc-file.js';
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

  async holdersFor(waiter: ProcessFacts, tid: number): Promise<number[]> {
    this.#readRows();
    const waiting = this.rows.filter(({ held, pid }) => !held && (pid === waiter.pid || pid === tid));
    const holders = this.rows.filter(({ held, id }) => held && waiting.some((row) => row.id === id));
    const pids: number[] = [];
    for (const { pid } of holders) pids.push(...(isAlive(pid) ? [pid] : await this.#heirs(waiter)));
    return pids;
  }

  #readRows(): void {
    if (this.#read) return;
    this.#read = true;
    const text = readText('/proc/locks');
    if (isAbsent(text)) this.#context.miss('locks', null, text.absent);
    else this.rows = parseLocks(text);
  }

  /** The process that took the lock is gone, but a process that shares the open file still keeps it. */
  async #heirs(waiter: ProcessFacts): Promise<number[]> {
    const files = waiter.threads.flatMap((thread) => waitedFiles(waiter, thread));
    const links = files.map(({ link }) => link);
    const pids = new Set(this.#known());
    for (const { object } of files) for (const pid of await this.#search.holdersOf(object)) pids.add(pid);
    return [...pids].filter((pid) => this.#keepsLock(pid, links));
  }

  #keepsLock(pid: number, links: readonly string[]): boolean {
    const reading = this.#reading(pid);
    if (reading === null || isAbsent(reading.facts.fds)) return false;
    let keeps = false;
    for (const file of reading.facts.fds) {
      if (file.kind !== 'file' || !links.includes(file.link)) continue;
      const info = reading.dir.text(`fdinfo/${file.fd}`);
      const locks = isAbsent(info) ? 0 : locksIn(info);
      if (locks === 0) continue;
      file.detail = { of: 'locked', locks };
      keeps = true;
    }
    return keeps;
  }
}

function isAlive(pid: number): boolean {
  return Buffer.isBuffer(readBytes(`/proc/${pid}/stat`));
}

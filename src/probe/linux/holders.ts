import fs from 'node:fs';
import { isAbsent } from '../../model/absence.js';
import { classifyLink } from './fd.js';
import { parseFdinfo } from './fdinfo.js';
import { mapsShared } from './maps.js';
import { attempt, listNumbers, readBytes, readLink, readText } from './proc-file.js';
import { parseStat, type Stat } from './stat.js';

/** On a machine with very many processes an answer in time is worth more than a complete search. */
const searchMsMax = 1000;

/** Looks through the open files of all processes of the machine, once, for who holds a kernel object. */
export class HolderSearch {
  readonly #exclude: (pid: number) => boolean;
  readonly #isNear: (session: number) => boolean;
  readonly #holders = new Map<string, Set<number>>();
  readonly #stats = new Map<number, Stat>();
  #scanned = false;
  readonly unreadable: number[] = [];

  /** Why the search is not complete; null: it is. */
  cut: string | null = null;

  /** `exclude` tells the processes whose files are already known, `isNear` the sessions of the tree. */
  constructor(exclude: (pid: number) => boolean, isNear: (session: number) => boolean) {
    this.#exclude = exclude;
    this.#isNear = isNear;
  }

  get scanned(): boolean {
    return this.#scanned;
  }

  /** Processes, other than the excluded ones, that have the object open. */
  holdersOf(object: string): ReadonlySet<number> {
    this.#scan();
    return this.#holders.get(object) ?? new Set();
  }

  /** Processes that map this device and inode shared. */
  mappersOf(mapping: string): number[] {
    this.#scan();
    return [...this.#stats.keys()].filter((pid) => {
      const maps = readText(`/proc/${pid}/maps`);
      return !isAbsent(maps) && mapsShared(maps, mapping);
    });
  }

  /**
   * Unreadable processes that may share files with the tree: members of its sessions, and its ancestors up to the
   * nearest readable one. What comes from further up would have passed through that one.
   */
  unreadableRelatives(sessions: ReadonlySet<number>, lineage: readonly number[]): number[] {
    const hidden = new Set(this.unreadable);
    const readable = lineage.findIndex((pid) => !hidden.has(pid));
    const parents = readable < 0 ? lineage : lineage.slice(0, readable);
    return this.unreadable.filter(
      (pid) =>
        parents.includes(pid) ||
        (!lineage.includes(pid) && sessions.has(this.#stats.get(pid)?.session ?? -1)),
    );
  }

  #scan(): void {
    if (this.#scanned) return;
    this.#scanned = true;
    const deadline = performance.now() + searchMsMax;
    for (const pid of this.#candidates()) {
      if (performance.now() > deadline) {
        this.cut = `looking through all processes was ended after ${searchMsMax} ms`;
        return;
      }
      this.#scanProcess(pid);
    }
  }

  /** Relatives first, then the youngest: who shares a file with the tree is most often near it. */
  #candidates(): number[] {
    const pids = listNumbers('/proc');
    for (const pid of isAbsent(pids) ? [] : pids) {
      if (this.#exclude(pid)) continue;
      const bytes = readBytes(`/proc/${pid}/stat`);
      const stat = Buffer.isBuffer(bytes) ? parseStat(bytes) : null;
      // Kernel threads (children of 2) have no open files.
      if (stat === null || stat.parent === 2 || pid === 2 || stat.state === 'Z') continue;
      this.#stats.set(pid, stat);
    }
    const distance = (pid: number): number => (this.#isNear(this.#stats.get(pid)?.session ?? -1) ? 0 : 1);
    return [...this.#stats.keys()].sort((a, b) => distance(a) - distance(b) || b - a);
  }

  #scanProcess(pid: number): void {
    const fds = listNumbers(`/proc/${pid}/fd`);
    if (isAbsent(fds)) {
      if (fds.absent !== 'gone') this.unreadable.push(pid);
      return;
    }
    for (const fd of fds) {
      const link = readLink(`/proc/${pid}/fd/${fd}`);
      if (isAbsent(link)) continue;
      const { kind, object } = classifyLink(link, null);
      if (kind === 'null' || kind === 'device' || kind === 'other') continue;
      if (kind === 'eventfd' || kind === 'ptmx') {
        const info = readText(`/proc/${pid}/fdinfo/${fd}`);
        this.#add(isAbsent(info) ? object : (parseFdinfo(kind, info).object ?? object), pid);
      } else this.#add(object, pid);
    }
  }

  #add(object: string, pid: number): void {
    const holders = this.#holders.get(object);
    if (holders === undefined) this.#holders.set(object, new Set([pid]));
    else holders.add(pid);
  }
}

/** Device and inode of a FIFO that is open under a path; null: it is something else. */
export function fifoObject(path: string): string | null {
  const stat = attempt(() => fs.statSync(path, { bigint: true }));
  if (isAbsent(stat) || !stat.isFIFO()) return null;
  return `fifo:${stat.dev}:${stat.ino}`;
}

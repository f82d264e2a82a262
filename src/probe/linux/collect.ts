import { isAbsent } from '../../model/absence.js';
import type { FileLockFacts, ProcessFacts } from '../../model/snapshot.js';
import { readChildren } from './children.js';
import { terminalName } from './fd.js';
import { locksIn } from './fdinfo.js';
import { fifoObject, HolderSearch } from './holders.js';
import { readLastLine } from './last-line.js';
import { parseLocks } from './locks.js';
import { mapsShared } from './maps.js';
import { isRemote } from './mounts.js';
import { readBytes, readText } from './proc-file.js';
import { ProcessReading } from './process.js';
import type { ReadContext } from './read-context.js';
import { readSocketTimeouts } from './socket-timeouts.js';
import { SocketTable } from './sockets.js';
import { parseStat } from './stat.js';
import { readTerminal } from './terminal.js';
import {
  otherEnds,
  sharedFutexMappings,
  waitedFiles,
  waitedPids,
  waitsForChild,
  waitsForFileLock,
} from './waited-objects.js';

export const treeProcessesMax = 5000;
const outsidersMax = 48;
const outsiderRoundsMax = 4;

/** First collect of everything one answer needs: the tree, then whoever is at the other end of a wait. */
export class Collection {
  readonly readings = new Map<number, ProcessReading>();
  readonly sockets: SocketTable;
  readonly search: HolderSearch;
  locks: FileLockFacts[] = [];
  cut: string | null = null;
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
    this.sockets = new SocketTable(context);
    this.search = new HolderSearch(
      (pid) => this.readings.has(pid),
      (session) => [...this.readings.values()].some(({ facts }) => facts.session === session),
    );
  }

  /** The target and its descendants, breadth first. */
  addTree(target: number): void {
    const queue = [target];
    for (let pid = queue.shift(); pid !== undefined; pid = queue.shift()) {
      const reading = this.#add(pid, true);
      if (reading === null) continue;
      const children = readChildren(pid);
      if (isAbsent(children)) this.#context.miss('children', pid, children.absent);
      else {
        reading.facts.children = children;
        queue.push(...children);
      }
      if (this.readings.size >= treeProcessesMax && queue.length > 0) {
        this.#context.miss('children', pid, 'limit', `${treeProcessesMax} processes`);
        return;
      }
    }
  }

  /** Whoever holds the other end of what the processes read so far wait for, and of what those wait for. */
  addOutsiders(): void {
    let newest = [...this.readings.values()];
    for (let round = 0; round < outsiderRoundsMax && newest.length > 0; round += 1) {
      this.#refine(newest);
      const wanted = new Set<number>();
      for (const reading of newest) for (const pid of this.#otherSides(reading)) wanted.add(pid);
      newest = [];
      for (const pid of wanted) {
        if (this.readings.has(pid)) continue;
        if (this.readings.size - this.#treeSize() >= outsidersMax) {
          this.cut = `only ${outsidersMax} processes outside the tree were looked at`;
          return;
        }
        const reading = this.#add(pid, false);
        if (reading !== null) newest.push(reading);
      }
    }
  }

  #treeSize(): number {
    let size = 0;
    for (const { facts } of this.readings.values()) if (facts.inTree) size += 1;
    return size;
  }

  #add(pid: number, inTree: boolean): ProcessReading | null {
    if (this.readings.has(pid)) return null;
    const reading = ProcessReading.start(this.#context, pid, inTree);
    if (reading !== null) this.readings.set(pid, reading);
    return reading;
  }

  /** Completes the files that are waited on: sockets by their tables, FIFOs by inode, terminals by settings. */
  #refine(readings: readonly ProcessReading[]): void {
    for (const { facts, dir } of readings) {
      if (isAbsent(facts.fds)) {
        const terminal = terminalName(facts.terminal.number);
        const settings = terminal === null ? null : readTerminal(`/dev/${terminal}`);
        if (terminal !== null && settings?.of === 'terminal') {
          const { canonical, echo } = settings;
          facts.terminal.settings = { name: terminal, canonical, echo };
        }
        continue;
      }
      if (facts.fds.some((fd) => fd.kind === 'socket')) this.sockets.addSpaceOf(facts.pid);
      for (const file of new Set(facts.threads.flatMap((thread) => waitedFiles(facts, thread)))) {
        if (file.kind === 'file') {
          const fifo = isRemote(dir, file.link) ? null : fifoObject(dir.path(`fd/${file.fd}`));
          if (fifo !== null) Object.assign(file, { kind: 'fifo', object: fifo });
        } else if (file.kind === 'socket') {
          const timeouts = this.#context.withheld.has('mem') ? null : readSocketTimeouts(facts.pid, file.fd);
          if (timeouts !== null) file.detail = { of: 'socket', ...timeouts };
        } else if (file.kind === 'terminal' && file.detail === undefined) {
          const detail = readTerminal(`/dev/${file.object.slice('terminal:'.length)}`);
          if (detail === null) this.#context.miss('terminal', facts.pid, 'not-permitted');
          else file.detail = detail;
        }
      }
    }
    for (const reading of readings) this.#readPrompt(reading);
    this.#nameFifos();
  }

  /** What a program that reads input last wrote to its log file: the prompt, if it left the line open. */
  #readPrompt({ facts, dir }: ProcessReading): void {
    const { fds } = facts;
    if (isAbsent(fds) || !facts.inTree) return;
    const input = new Set(
      fds.filter(({ fd, kind }) => fd === 0 || kind === 'terminal').map(({ object }) => object),
    );
    const reads = facts.threads.some((thread) =>
      waitedFiles(facts, thread).some(({ object }) => input.has(object)),
    );
    if (!reads) return;
    const log = fds.find(({ fd, kind }) => (fd === 1 || fd === 2) && kind === 'file');
    if (log === undefined || log.detail !== undefined || isRemote(dir, log.link)) return;
    const lastLine = readLastLine(dir.path(`fd/${log.fd}`));
    if (lastLine !== null) log.detail = { of: 'text', lastLine };
  }

  /** A FIFO's link is a path: every other process that has the same path open holds the same FIFO. */
  #nameFifos(): void {
    const fifos = new Map<string, string>();
    const all = [...this.readings.values()].map(({ facts }) => facts);
    for (const { fds } of all) {
      if (isAbsent(fds)) continue;
      for (const file of fds) if (file.kind === 'fifo') fifos.set(file.link, file.object);
    }
    if (fifos.size === 0) return;
    for (const { fds } of all) {
      if (isAbsent(fds)) continue;
      for (const file of fds) {
        const object = file.kind === 'file' ? fifos.get(file.link) : undefined;
        if (object !== undefined) Object.assign(file, { kind: 'fifo', object });
      }
    }
  }

  #otherSides({ facts }: ProcessReading): Set<number> {
    const pids = new Set<number>();
    for (const thread of facts.threads) {
      for (const file of waitedFiles(facts, thread)) {
        for (const object of otherEnds(file, this.sockets, thread.call)) {
          for (const pid of this.search.holdersOf(object)) pids.add(pid);
        }
      }
      for (const pid of waitedPids(facts, thread)) pids.add(pid);
      if (waitsForFileLock(thread)) for (const pid of this.#lockHolders(facts, thread.tid)) pids.add(pid);
      if (!facts.inTree && waitsForChild(thread)) {
        const children = readChildren(facts.pid);
        facts.children = isAbsent(children) ? [] : children;
        for (const pid of facts.children) pids.add(pid);
      }
    }
    for (const mapping of new Set(sharedFutexMappings(facts))) {
      for (const pid of this.search.mappersOf(mapping)) pids.add(pid);
    }
    pids.delete(0);
    return pids;
  }

  #lockHolders(waiter: ProcessFacts, tid: number): number[] {
    if (this.locks.length === 0) {
      const text = readText('/proc/locks');
      if (isAbsent(text)) {
        this.#context.miss('locks', null, text.absent);
        return [];
      }
      this.locks = parseLocks(text);
    }
    const waiting = this.locks.filter((lock) => !lock.held && (lock.pid === waiter.pid || lock.pid === tid));
    const holders = this.locks.filter((lock) => lock.held && waiting.some((row) => row.id === lock.id));
    return holders.flatMap((lock) => (isAlive(lock.pid) ? [lock.pid] : this.#inheritedLock(waiter)));
  }

  /** The process that took the lock is gone, but one it shared the open file with still keeps it. */
  #inheritedLock(waiter: ProcessFacts): number[] {
    const files = waiter.threads.flatMap((thread) => waitedFiles(waiter, thread));
    const pids = new Set(files.flatMap((file) => [...this.search.holdersOf(file.object)]));
    for (const { facts } of this.readings.values()) pids.add(facts.pid);
    return [...pids].filter((pid) =>
      this.#keepsLock(
        pid,
        files.map((file) => file.link),
      ),
    );
  }

  #keepsLock(pid: number, links: readonly string[]): boolean {
    const reading = this.readings.get(pid) ?? this.#add(pid, false);
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

  /** Notes for every process which of the waited-for shared mappings it has. */
  noteSharedMappings(): void {
    const wanted = new Set([...this.readings.values()].flatMap(({ facts }) => sharedFutexMappings(facts)));
    if (wanted.size === 0) return;
    for (const { facts, dir } of this.readings.values()) {
      const maps = dir.text('maps');
      if (isAbsent(maps)) this.#context.miss('maps', facts.pid, maps.absent);
      else facts.sharedMappings = [...wanted].filter((mapping) => mapsShared(maps, mapping));
    }
  }
}

function isAlive(pid: number): boolean {
  return Buffer.isBuffer(readBytes(`/proc/${pid}/stat`));
}

/** The ancestors of a process, nearest first. */
export function lineageOf(pid: number): number[] {
  const lineage: number[] = [];
  for (let current = pid; current > 1; ) {
    const bytes = readBytes(`/proc/${current}/stat`);
    const parent = Buffer.isBuffer(bytes) ? (parseStat(bytes)?.parent ?? 0) : 0;
    if (parent <= 0 || lineage.includes(parent)) break;
    lineage.push(parent);
    current = parent;
  }
  return lineage;
}

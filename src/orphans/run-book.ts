import fs from 'node:fs';
import path from 'node:path';
import { knownValue, readingOf } from '../model/reading.js';
import type { ProcessRow } from '../probe/linux/process-row.js';
import { clearLineage, hasLineage } from '../store/lineage.js';
import { listRuns } from '../store/list-runs.js';
import { RunDirectory } from '../store/run-directory.js';
import type { RunFacts } from './facts.js';
import { keepersElsewhere } from './keepers-elsewhere.js';
import { namesHome } from './names-home.js';
import { type RunReading, readRun, statIn, unknownRun } from './read-run.js';

/** A directory that looks like a run and whose record cannot be read. */
export interface SetAside {
  directory: string;
  reason: string;
}

type Rows = ReadonlyMap<number, ProcessRow>;

/**
 * The runs that processes came from. To be made after the processes were listed: the directory of a run is there
 * before its first process, so one that is not there then has been removed.
 */
export class RunBook {
  readonly #home: string;
  readonly #runs: string;
  readonly #rows: Rows;
  readonly #readings = new Map<string, RunReading>();
  readonly #here = new Set<string>();
  #elsewhere: ReadonlyMap<string, string> | null = null;
  readonly setAside: SetAside[] = [];

  constructor(home: string, rows: Rows) {
    this.#home = home;
    this.#runs = path.join(home, 'runs');
    this.#rows = rows;
  }

  get facts(): Map<string, RunFacts> {
    return new Map([...this.#readings].map(([id, { facts }]) => [id, facts]));
  }

  /** How many of the runs that were read are of our home and go on. */
  get liveHere(): number {
    return [...this.#here].filter((id) => this.known(id)?.facts.state === 'lives').length;
  }

  /** null: nobody has asked for it yet. */
  known(id: string): RunReading | null {
    return this.#readings.get(id) ?? null;
  }

  /** A run that a process bears the name of. */
  look(id: string, pid: number): RunReading {
    return this.known(id) ?? this.#keep(id, this.#find(id, pid));
  }

  #keep(id: string, reading: RunReading): RunReading {
    this.#readings.set(id, reading);
    return reading;
  }

  /** Reads all others of our home that anybody of these processes may be tied to. */
  readTied(): void {
    const numbers = new Set<number>();
    for (const { session, group } of this.#rows.values()) numbers.add(session).add(group);
    for (const id of knownValue(listRuns(this.#runs), 'the list of runs')) {
      if (this.#readings.has(id)) continue;
      const directory = new RunDirectory(this.#runs, id);
      const stat = statIn(directory);
      const isTied =
        stat !== null && (this.#rows.has(stat.pid) || numbers.has(stat.pid) || numbers.has(stat.session));
      if (!isTied && !hasLineage(directory)) continue;
      this.#here.add(id);
      this.#clean(directory, this.#keep(id, this.#read(directory)));
    }
  }

  #find(id: string, pid: number): RunReading {
    const ours = new RunDirectory(this.#runs, id);
    if (isThere(ours.path)) {
      this.#here.add(id);
      return this.#read(ours);
    }
    if (!namesHome(pid, this.#home)) return unknownRun(id, 'lives');
    this.#elsewhere ??= keepersElsewhere(this.#rows.values());
    const place = this.#elsewhere.get(id);
    // It has a shim and no place: nothing tells that it is over.
    if (place === '') return unknownRun(id, 'lives');
    const isKept = place !== undefined && isThere(place);
    return isKept ? this.#read(new RunDirectory(path.dirname(place), id)) : unknownRun(id, 'gone');
  }

  #read(directory: RunDirectory): RunReading {
    const reading = readRun(directory);
    if (reading.fault !== null) this.setAside.push({ directory: directory.path, reason: reading.fault });
    return reading;
  }

  /** F7: of a run that is over, nobody who was seen in it is left. */
  #clean(directory: RunDirectory, { facts, fault }: RunReading): void {
    if (facts.state !== 'over' || fault !== null) return;
    const isLeft = facts.lineage.some(({ pid, startTicks }) => {
      const row = this.#rows.get(pid);
      return row?.startTicks === startTicks && !row.ended;
    });
    if (!isLeft) clearLineage(directory);
  }
}

/** Throws a Failure when it cannot be read: a run that is not there proves something. */
function isThere(directory: string): boolean {
  const reading = readingOf(() => fs.statSync(directory).isDirectory(), false);
  return knownValue(reading, directory);
}

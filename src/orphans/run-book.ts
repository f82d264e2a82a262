import fs from 'node:fs';
import path from 'node:path';
import { knownValue, readingOf } from '../model/facts/reading.js';
import type { ProcessRow } from '../probe/processes.js';
import { clearLineage, hasLineage, readLineage } from '../store/lineage.js';
import { RunDirectory } from '../store/run-directory.js';
import { listRuns } from '../store/run-ids.js';
import type { RunFacts } from './facts.js';
import { namesHome } from './names-home.js';
import { type RunReading, readRun, statIn, unknownRun } from './read-run.js';
import { shimDirectories } from './shim-directories.js';

/** A directory that looks like a run and whose record cannot be read. */
export interface SetAside {
  directory: string;
  reason: string;
}

type Rows = ReadonlyMap<number, ProcessRow>;

/**
 * The runs that processes came from. Create it after listing the processes: a run directory exists before its first
 * process, so a missing directory has been removed.
 */
export class RunBook {
  readonly #home: string;
  readonly #runs: string;
  readonly #rows: Rows;
  readonly #readings = new Map<string, RunReading>();
  readonly #earlier: Map<string, RunReading>;
  readonly #here = new Set<string>();
  #elsewhere: ReadonlyMap<string, string> | null = null;
  readonly setAside: SetAside[] = [];

  /** `earlier`: runs as an earlier check read them; brought up to date by `readTied`. */
  constructor(home: string, rows: Rows, earlier = new Map<string, RunReading>()) {
    this.#home = home;
    this.#runs = path.join(home, 'runs');
    this.#rows = rows;
    this.#earlier = earlier;
  }

  get facts(): Map<string, RunFacts> {
    return new Map([...this.#readings].map(([id, { facts }]) => [id, facts]));
  }

  /** Live runs of this state home among those read. */
  get liveHere(): number {
    return [...this.#here].filter((id) => this.known(id)?.facts.state === 'lives').length;
  }

  /** null: not read yet. */
  known(id: string): RunReading | null {
    return this.#readings.get(id) ?? null;
  }

  /** The run that the environment of a process names. */
  resolve(id: string, pid: number): RunReading {
    return this.known(id) ?? this.#keep(id, this.#find(id, pid));
  }

  #keep(id: string, reading: RunReading): RunReading {
    this.#readings.set(id, reading);
    return reading;
  }

  /** Reads the other runs of this home that any of these processes may be tied to. */
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
    this.#earlier.clear();
    for (const [id, reading] of this.#readings) this.#earlier.set(id, reading);
  }

  #find(id: string, pid: number): RunReading {
    const ours = new RunDirectory(this.#runs, id);
    if (isThere(ours.path)) {
      this.#here.add(id);
      return this.#read(ours);
    }
    if (!namesHome(pid, this.#home)) return unknownRun(id, 'lives');
    this.#elsewhere ??= shimDirectories(this.#rows.values());
    const place = this.#elsewhere.get(id);
    // The shim is alive and its directory is not known: the run may be alive.
    if (place === '') return unknownRun(id, 'lives');
    const isKept = place !== undefined && isThere(place);
    return isKept ? this.#read(new RunDirectory(path.dirname(place), id)) : unknownRun(id, 'gone');
  }

  #read(directory: RunDirectory): RunReading {
    const reading = this.#readAgain(directory) ?? readRun(directory);
    if (reading.fault !== null) this.setAside.push({ directory: directory.path, reason: reading.fault });
    return reading;
  }

  /** While its command lives, a run in the background changes in nothing but its lineage. null: it has to be read. */
  #readAgain(directory: RunDirectory): RunReading | null {
    const known = this.#earlier.get(directory.id);
    if (known?.facts.leader == null || !known.isBackground || known.facts.state !== 'lives') return null;
    const { pid, startTicks } = known.facts.leader;
    const row = this.#rows.get(pid);
    if (row?.startTicks !== startTicks || row.ended) return null;
    return { ...known, facts: { ...known.facts, lineage: readLineage(directory) } };
  }

  /** Clears the lineage of a run that is over once all its processes are gone. */
  #clean(directory: RunDirectory, { facts, fault, isTracked }: RunReading): void {
    if (facts.state !== 'over' || fault !== null) return;
    if (isTracked) directory.remove();
    const isLeft = facts.lineage.some(({ pid, startTicks }) => {
      const row = this.#rows.get(pid);
      return row?.startTicks === startTicks && !row.ended;
    });
    if (!isLeft) clearLineage(directory);
  }
}

/** Throws a Failure when it cannot be read, because a missing run is evidence. */
function isThere(directory: string): boolean {
  const reading = readingOf(() => fs.statSync(directory).isDirectory(), false);
  return knownValue(reading, directory);
}

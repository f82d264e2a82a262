import { isAbsent } from '../model/facts/absence.js';
import { readLink } from '../probe/machine.js';
import { type Census, type KnownMarks, takeCensus } from '../probe/members.js';
import { commandLineOf, ourselvesAndAbove } from '../probe/processes.js';
import { isInside } from '../text/is-inside.js';
import type { OrphanFacts, ProcessFacts } from './facts.js';
import { isAbandoned } from './is-abandoned.js';
import { pidMin } from './judge-orphans.js';
import { patternsOf } from './patterns.js';
import type { RunReading } from './read-run.js';
import { RunBook } from './run-book.js';

export interface GatherOptions {
  /** State home that holds the runs. */
  home: string;
  /** Real paths; empty: no process is suspected by its command line. */
  projectDirs: readonly string[];
  patterns: readonly string[];
  /** Pids to leave alone, besides this process and its ancestors. */
  never: readonly number[];
  /** For repeated checks. Default: everything is read. */
  earlier?: EarlierCheck | undefined;
}

/** What one check leaves to the next: processes that live on need not be read whole again. */
export class EarlierCheck {
  readonly marks: KnownMarks = new Map();
  readonly runs = new Map<string, RunReading>();
}

export interface Gathered {
  facts: OrphanFacts;
  book: RunBook;
}

/** Reads everything `judgeOrphans` needs: one pass over /proc, and the runs found on the way. */
export function gatherFacts(options: GatherOptions): Gathered {
  const { home, projectDirs, patterns, never, earlier = new EarlierCheck() } = options;
  const census = takeCensus(earlier.marks);
  const book = new RunBook(home, census.rows, earlier.runs);
  for (const [pid, id] of census.marks) book.resolve(id, pid);
  book.readTied();
  const facts: OrphanFacts = {
    processes: processesOf(census, projectDirs),
    runs: book.facts,
    never: new Set([...ourselvesAndAbove(), ...never]),
    patterns: patternsOf(patterns),
  };
  return { facts, book };
}

function processesOf({ rows, marks }: Census, projects: readonly string[]): Map<number, ProcessFacts> {
  const processes = new Map<number, ProcessFacts>();
  for (const [pid, row] of rows) {
    const mark = marks.get(pid) ?? null;
    const asks = projects.length > 0 && mark === null && pid >= pidMin && !row.kernelThread && !row.ended;
    const isAsked = asks && isAbandoned(row, rows) && isInAny(cwdOf(pid), projects);
    processes.set(pid, { ...row, mark, command: isAsked ? commandLineOf(pid) : null });
  }
  return processes;
}

/** null: not readable. */
export function cwdOf(pid: number): string | null {
  const link = readLink(`/proc/${pid}/cwd`);
  return isAbsent(link) ? null : link.replace(/ \(deleted\)$/, '');
}

function isInAny(dir: string | null, projects: readonly string[]): boolean {
  return dir !== null && projects.some((project) => isInside(dir, project));
}

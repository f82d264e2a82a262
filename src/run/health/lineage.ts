import { isAbsent } from '../../model/facts/absence.js';
import type { ProcessSample } from '../../model/facts/sample.js';
import { readRow } from '../../probe/processes.js';
import { addLineage, lineageMax, readLineage } from '../../store/lineage.js';
import type { RunDirectory } from '../../store/run-directory.js';

/** A process leaves its session soon after its start. It is checked at this many ticks at which it had run. */
const readsMax = 3;

interface Seen {
  startTicks: number;
  /** The sample of the last check. A process that did not run since then has the same object. */
  last: ProcessSample;
  reads: number;
}

/**
 * Records which members have left the session of the command. After the run they may have lost their parents and their
 * environment, and then only this record connects them with the run.
 */
export class Lineage {
  readonly #directory: RunDirectory;
  readonly #leader: number;
  #seen = new Map<number, Seen>();
  /** null: the notes of an earlier daemon are not read yet. */
  #noted: Set<string> | null = null;

  constructor(directory: RunDirectory, leader: number) {
    this.#directory = directory;
    this.#leader = leader;
  }

  /** Called after a tick at which a process of the tree had run. */
  note(processes: readonly ProcessSample[]): void {
    if (processes.length === 1 && processes[0]?.pid === this.#leader) return;
    const seen = new Map<number, Seen>();
    for (const process of processes) {
      const { pid, startTicks } = process;
      if (pid === this.#leader) continue;
      const before = this.#seen.get(pid);
      seen.set(
        pid,
        before?.startTicks === startTicks ? this.#readAgain(before, process) : this.#read(process, 0),
      );
    }
    this.#seen = seen;
  }

  #readAgain(before: Seen, process: ProcessSample): Seen {
    return before.reads >= readsMax || before.last === process ? before : this.#read(process, before.reads);
  }

  #read(process: ProcessSample, reads: number): Seen {
    const { pid, startTicks } = process;
    const row = readRow(pid);
    const hasLeft = !isAbsent(row) && row.startTicks === startTicks && row.session !== this.#leader;
    if (hasLeft) this.#note(pid, startTicks);
    return { startTicks, last: process, reads: hasLeft ? readsMax : reads + 1 };
  }

  #note(pid: number, startTicks: number): void {
    this.#noted ??= new Set(readLineage(this.#directory).map((entry) => keyOf(entry)));
    const key = keyOf({ pid, startTicks });
    if (this.#noted.has(key) || this.#noted.size >= lineageMax) return;
    addLineage(this.#directory, { pid, startTicks });
    this.#noted.add(key);
  }
}

function keyOf({ pid, startTicks }: { pid: number; startTicks: number }): string {
  return `${pid} ${startTicks}`;
}

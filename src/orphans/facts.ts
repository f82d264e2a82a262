import type { ProcessRow } from '../probe/linux/process-row.js';
import type { Pattern } from './patterns.js';

/** A process of this boot. */
export interface Numbered {
  pid: number;
  startTicks: number;
}

/** What is known of a run when it is asked whose a process is. */
export interface RunFacts {
  id: string;
  /**
   * `lives`: it runs in the background, or somebody looks after it. `adrift`: it runs in the foreground, and whoever
   * looked after it is gone. `over`: its end is recorded, or its command is gone. `gone`: its directory is.
   */
  state: 'lives' | 'adrift' | 'over' | 'gone';
  /** The command it started; null: not known, or of another boot. */
  leader: Numbered | null;
  /** The session of the shim and its helpers; null: not known. */
  keeperSession: number | null;
  /** When it was over, as start times are counted; null: not known. */
  endedTicks: number | null;
  /** Members that had left the session of the command. */
  lineage: readonly Numbered[];
}

/** A process, as far as orphans are concerned. */
export interface ProcessFacts extends ProcessRow {
  /** The run that its environment names; null: none. */
  mark: string | null;
  /** Of those that nobody looks after, in the project: what patterns are looked for in; null: not asked. */
  command: string | null;
}

/** All that is needed to tell orphans from others: plain data. */
export interface OrphanFacts {
  processes: ReadonlyMap<number, ProcessFacts>;
  runs: ReadonlyMap<string, RunFacts>;
  /** Ourselves, whoever we descend from, and our daemon: F4. */
  never: ReadonlySet<number>;
  patterns: readonly Pattern[];
}

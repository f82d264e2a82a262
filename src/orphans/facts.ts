import type { ProcessRow } from '../probe/processes.js';
import type { Pattern } from './patterns.js';

/** A process of this boot. */
export interface Numbered {
  pid: number;
  startTicks: number;
}

/** What is known of a run, to decide whether a process belongs to it. */
export interface RunFacts {
  id: string;
  /**
   * `lives`: it runs in the background, or its supervisor is alive. `adrift`: it runs in the foreground and its
   * supervisor is gone. `over`: its end is recorded, or its command is gone. `gone`: its directory is gone.
   */
  state: 'lives' | 'adrift' | 'over' | 'gone';
  /** The command of the run; null: not known, or from another boot. */
  leader: Numbered | null;
  /** The session of the shim and its helpers; null: not known. */
  shimSession: number | null;
  /** When it ended, in clock ticks since boot; null: not known. */
  endedTicks: number | null;
  /** Members that had left the session of the command. */
  lineage: readonly Numbered[];
}

/** The facts about a process that matter for orphans. */
export interface ProcessFacts extends ProcessRow {
  /** The run that its environment names; null: none. */
  mark: string | null;
  /** Command line, to match patterns against. Read only for abandoned processes in a project; null: not read. */
  command: string | null;
}

/** Everything `judgeOrphans` needs, as plain data. */
export interface OrphanFacts {
  processes: ReadonlyMap<number, ProcessFacts>;
  runs: ReadonlyMap<string, RunFacts>;
  /** Pids that are never signalled: this process, its ancestors and the daemon. */
  never: ReadonlySet<number>;
  patterns: readonly Pattern[];
}

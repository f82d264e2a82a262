import type { Source } from '../model/facts/absence.js';
import type { Capability } from '../model/facts/capability.js';
import type { ProcessIdentity } from '../model/facts/identity.js';
import type { Snapshot } from '../model/facts/snapshot.js';

export interface SnapshotOptions {
  /** Time between the two passes; a longer gap proves more and costs more. */
  gapMs?: number;
  /** Sources to treat as denied: this shows on any machine how an answer degrades. */
  withhold?: readonly Source[];
  signal?: AbortSignal;
  /** Processes that belong to the target, also those that do not descend from it (any more). */
  membersOf?: (pid: number) => readonly number[];
}

/** The only access to facts about processes; every implementation passes the same contract tests. */
export interface Probe {
  readonly name: Snapshot['probe'];
  /** Rejects with a Failure when the process does not exist. */
  snapshot(pid: number, options?: SnapshotOptions): Promise<Snapshot>;
  identify(pid: number): ProcessIdentity | null;
  /** What this machine allows, for `unstuck doctor`. */
  capabilities(): Promise<Capability[]>;
}

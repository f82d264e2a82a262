import type { Snapshot } from '../../model/facts/snapshot.js';
import { linuxProbe } from '../../probe/snapshots.js';
import type { Urgency } from './snapshot-policy.js';

/** A request for a snapshot. */
export interface SnapshotWish {
  pid: number;
  /** All processes of the tree as of the last tick. */
  members: readonly number[];
  urgency: Urgency;
  /** The time since which the snapshot is wanted. */
  sinceMs: number;
}

/** A snapshot that has begun; `end` returns its cost in milliseconds of CPU time. */
export interface SnapshotPermit {
  snapshot: Promise<Snapshot>;
  end(): number;
}

/** For a run that need not share the cost with others. */
export function permitAtOnce({ pid, members }: SnapshotWish): SnapshotPermit {
  const before = process.cpuUsage();
  return {
    snapshot: linuxProbe.snapshot(pid, { membersOf: () => members }),
    end() {
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    },
  };
}

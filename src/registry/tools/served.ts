import { ticksPerSecond } from '../../model/facts/sample.js';
import type { Finding } from '../../model/verdict.js';

/** A tool that serves in the foreground, followed from snapshot to snapshot. */
export interface Served {
  finding: Finding;
  /** Snapshots that showed it, with little work in between. */
  samples: number;
  /** Snapshots since the last of them: a process of it ran at that moment. */
  missed: number;
  /** What its processes have used so far, and when that was. */
  use: CpuUse;
  atMs: number;
}

/** CPU time of some processes and their ended children, and how long their main threads ran and waited for a CPU. */
export interface CpuUse {
  cpuTicks: number;
  ranMs: number;
  delayedMs: number;
}

/**
 * A server at rest still runs now and then: timers, garbage collection, `npm` above it, which looks for updates. It may use this
 * share of a core.
 */
const restShare = 0.03;
/** CPU time is counted in steps of ten milliseconds, for each process. */
const restTicksMin = 4;

/**
 * Where CPUs are scarce, a server that works waits for one most of the time: that counts as work. A timer that fires waits as
 * long and then hardly runs, so the wait counts only up to so many times the time it ran.
 */
const delayMost = 10;

/** So many snapshots in a row need not show it. */
const missedMax = 2;

/** The servers of one snapshot after those of the snapshot before. `useOf`: what processes have used until now. */
export function nextServed(
  before: readonly Served[],
  findings: readonly Finding[],
  useOf: (pids: readonly number[]) => CpuUse,
  nowMs: number,
): Served[] {
  const resting = before.filter((served) => didRest(served, useOf(served.finding.members), nowMs));
  const shown = findings.map((finding) => {
    const known = resting.find((served) => isSame(served.finding, finding));
    const use = useOf(finding.members);
    return { finding, samples: (known?.samples ?? 0) + 1, missed: 0, use, atMs: nowMs };
  });
  const hidden = resting
    .filter(({ missed, finding }) => missed < missedMax && !findings.some((one) => isSame(one, finding)))
    .map((served) => ({ ...served, missed: served.missed + 1 }));
  return [...shown, ...hidden];
}

function isSame({ root, end, members }: Finding, other: Finding): boolean {
  return (
    root.pid === other.root.pid &&
    root.startTicks === other.root.startTicks &&
    end.pid === other.end.pid &&
    end.startTicks === other.end.startTicks &&
    members.length === other.members.length
  );
}

function didRest({ use: before, atMs }: Served, now: CpuUse, nowMs: number): boolean {
  const mostTicks = ((nowMs - atMs) / 1000) * ticksPerSecond * restShare;
  const [ranMs, delayedMs] = [now.ranMs - before.ranMs, now.delayedMs - before.delayedMs];
  const wantedTicks = (Math.min(delayedMs, delayMost * ranMs) / 1000) * ticksPerSecond;
  return now.cpuTicks - before.cpuTicks + wantedTicks <= Math.max(restTicksMin, mostTicks);
}

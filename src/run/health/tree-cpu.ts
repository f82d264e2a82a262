import { type ProcessSample, type Sample, ticksPerSecond } from '../../model/facts/sample.js';

export interface TreeUse {
  /** 100 is one core. */
  cpuPercent: number;
  /** null: the counters of no process could be read. */
  ioBytes: number | null;
  delayedMs: number;
}

/** CPU time of a process, with the time inherited from children it has waited for. */
const whole = ({ cpuTicks, reapedCpuTicks }: ProcessSample) => cpuTicks + reapedCpuTicks;

function ioOf({ io }: ProcessSample): number | null {
  return io === null ? null : io.readChars + io.writeChars;
}

/**
 * What a tree used between two samples. A child that started and ended in between shows in its parent's counters. A
 * child that was in the last sample was counted then, so its parent adds only the rest of it.
 */
export function treeUse(before: Sample, now: Sample): TreeUse {
  const last = new Map(before.processes.map((process) => [process.pid, process]));
  const wallMs = Math.max(1, now.atMs - before.atMs);
  const ended = new Set(now.ended.map(({ pid }) => pid));
  const inherited = new Map<number, { cpuTicks: number; io: number }>();
  for (const pid of ended) {
    const gone = last.get(pid);
    if (gone === undefined) continue;
    const heir = nextAlive(gone, last, ended);
    const sum = inherited.get(heir) ?? { cpuTicks: 0, io: 0 };
    inherited.set(heir, { cpuTicks: sum.cpuTicks + whole(gone), io: sum.io + (ioOf(gone) ?? 0) });
  }
  let cpuTicks = 0;
  let ioBytes: number | null = null;
  let delayedNs = 0;
  for (const process of now.processes) {
    const then = last.get(process.pid);
    const same = then?.startTicks === process.startTicks ? then : undefined;
    const known = inherited.get(process.pid);
    cpuTicks += process.cpuTicks - (same?.cpuTicks ?? 0);
    cpuTicks += Math.max(0, process.reapedCpuTicks - (same?.reapedCpuTicks ?? 0) - (known?.cpuTicks ?? 0));
    const io = ioOf(process);
    // The kernel adds the bytes of reaped children to the same counters.
    if (io !== null) {
      const more = io - (same === undefined ? 0 : (ioOf(same) ?? io)) - (known?.io ?? 0);
      ioBytes = (ioBytes ?? 0) + Math.max(0, more);
    }
    delayedNs += (process.mainThread?.delayedNs ?? 0) - (same?.mainThread?.delayedNs ?? 0);
  }
  return {
    cpuPercent: (Math.max(0, cpuTicks) / ticksPerSecond / (wallMs / 1000)) * 100,
    ioBytes,
    delayedMs: Math.max(0, delayedNs / 1e6),
  };
}

/** A parent that ended too passed the time of its children on to its own parent. */
function nextAlive(
  gone: ProcessSample,
  last: ReadonlyMap<number, ProcessSample>,
  ended: ReadonlySet<number>,
): number {
  let { parent } = gone;
  for (let steps = 0; ended.has(parent) && steps < last.size; steps += 1)
    parent = last.get(parent)?.parent ?? 0;
  return parent;
}

import { readdirSync, readlinkSync } from 'node:fs';
import { loadLibc } from '../../../src/probe/linux/native/libc.js';
import { diagTcp } from '../../../src/probe/linux/sockets/sock-diag.js';
import { read } from '../../process-cost.js';
import type { MakeJudge, Scene } from './judge.js';

const tickMs = 10;

interface Totals {
  atMs: number;
  cpuMs: number;
  ioBytes: number;
  networkBytes: number;
}

/** Utime, stime, and those of the children that were collected. */
function cpuMsOf(pid: number): number {
  const fields = read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? [];
  return [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index] ?? 0), 0) * tickMs;
}

function ioBytesOf(pid: number): number {
  const numbers = read(`/proc/${pid}/io`).match(/^[rw]char: \d+/gm) ?? [];
  return numbers.reduce((sum, line) => sum + Number(line.split(' ')[1]), 0);
}

function socketsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      const inode = /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${fd}`))?.[1];
      return inode === undefined ? [] : [Number(inode)];
    });
  } catch {
    return [];
  }
}

function linkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}

/** Sent and received over TCP, as the kernel counts it. */
function networkBytesOf(pids: number[]): number {
  const inodes = new Set(pids.flatMap(socketsOf));
  const libc = inodes.size === 0 ? null : loadLibc();
  const sockets = libc === null ? [] : (diagTcp(libc) ?? []);
  return sockets
    .filter(({ inode }) => inodes.has(inode))
    .reduce((sum, { tcp }) => sum + (tcp?.bytesReceived ?? 0) + (tcp?.bytesAcked ?? 0), 0);
}

function totalsOf({ nowMs, pids }: Scene): Totals {
  const sum = (of: (pid: number) => number) => pids.reduce((total, pid) => total + of(pid), 0);
  return { atMs: nowMs, cpuMs: sum(cpuMsOf), ioBytes: sum(ioBytesOf), networkBytes: networkBytesOf(pids) };
}

/** What is gone took its numbers with it: less than before is activity, too. */
function changed(before: number, now: number): number {
  return Math.abs(now - before);
}

/** As the better heuristics do it: silent, and for a whole window no CPU, no I/O and no network to speak of. */
export const multiSignal: MakeJudge = ({ activityMs, silenceMs, cpuPercent, ioBytes }) => {
  const window: Totals[] = [];
  return {
    look(scene) {
      const now = totalsOf(scene);
      window.push(now);
      while ((window[1]?.atMs ?? Number.POSITIVE_INFINITY) <= now.atMs - activityMs) window.shift();
      const [first = now] = window;
      const forMs = now.atMs - first.atMs;
      if (scene.nowMs - scene.lastOutputMs < silenceMs || forMs < activityMs) return undefined;
      // Over all samples: what a process did that came and went shows in its parent, or in nothing.
      const add = (of: (totals: Totals) => number) =>
        window
          .slice(1)
          .reduce((sum, totals, index) => sum + changed(of(window[index] ?? totals), of(totals)), 0);
      const idle =
        (add(({ cpuMs }) => cpuMs) / forMs) * 100 < cpuPercent &&
        add((totals) => totals.ioBytes) < ioBytes &&
        add(({ networkBytes }) => networkBytes) === 0;
      return idle ? null : undefined;
    },
  };
};

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const ticksPerSecond = 100;

/** CPU time of processes so far, in milliseconds; children that have ended are counted with their parent. */
export function cpuMs(pids: readonly number[]): number {
  return (
    pids.reduce((sum, pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return sum + [11, 12, 13, 14].reduce((ticks, at) => ticks + Number(fields[at]), 0);
      } catch {
        return sum;
      }
    }, 0) *
    (1000 / ticksPerSecond)
  );
}

/** CPU of processes over some seconds, in percent of a core. */
export async function percent(pids: () => number[], seconds: number): Promise<number> {
  const before = cpuMs(pids());
  await delay(seconds * 1000);
  return (cpuMs(pids()) - before) / (seconds * 10);
}

/** Memory of a process that is its own, in megabytes. */
export function residentMb(pid: number): string {
  const kb = /^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return `${Math.round(Number(kb) / 1000)} MB`;
}

/** A process and all below it, by a part of their names. */
export function below(root: number, name: string): number[] {
  const rows = readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const end = stat.lastIndexOf(')');
      const parent = Number(stat.slice(end + 2).split(' ')[1]);
      return [{ pid: Number(pid), parent, name: stat.slice(stat.indexOf('(') + 1, end) }];
    } catch {
      return [];
    }
  });
  const found = new Set([root]);
  for (let before = 0; before !== found.size; ) {
    before = found.size;
    for (const { pid, parent } of rows) if (found.has(parent)) found.add(pid);
  }
  return rows.filter((row) => found.has(row.pid) && row.name.includes(name)).map(({ pid }) => pid);
}

/** Processes that work in this folder, or have it in their environment. */
export function usersOf(folder: string): number[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return [];
    try {
      const isUser =
        readlinkSync(`/proc/${pid}/cwd`).startsWith(folder) ||
        readFileSync(`/proc/${pid}/environ`, 'utf8').includes(folder);
      return isUser ? [Number(pid)] : [];
    } catch {
      return [];
    }
  });
}

import fs from 'node:fs';
import { parseSchedstat } from '../proc/schedstat.js';

/** Kept open: it is read for every use of a pattern. The link resolves to the thread that opens it. */
let schedstat: number | null = null;
const buffer = Buffer.alloc(128);

/** CPU time of the calling thread, to a few milliseconds; of the whole process where the kernel does not count it. */
export function ownThreadCpuMs(): number {
  return (readRanNs() ?? 0) / 1e6 || processCpuMs();
}

function readRanNs(): number | null {
  try {
    schedstat ??= fs.openSync('/proc/thread-self/schedstat', 'r');
    const length = fs.readSync(schedstat, buffer, 0, buffer.length, 0);
    return parseSchedstat(buffer.toString('latin1', 0, length))?.ranNs ?? null;
  } catch {
    return null;
  }
}

function processCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

import { isUtf8 } from 'node:buffer';
import fs from 'node:fs';
import { isAbsent } from '../../../model/facts/absence.js';
import { loadLibc } from '../native/libc.js';
import { readBytes, readLink, readText } from '../proc/proc-file.js';
import { parseSchedstat } from '../proc/schedstat.js';
import { parseStat } from '../proc/stat.js';

/**
 * Whether this process is in the foreground of its own terminal, if it has one: a background job must not draw on it.
 */
export function isForeground(): boolean {
  const stat = ownStat();
  return stat === null || stat.terminal === 0 || stat.foregroundGroup === stat.group;
}

/** Whether the keys of a terminal reach this process: Ctrl-C there is a person's. */
export function ownsTerminal(): boolean {
  const stat = ownStat();
  return stat !== null && stat.terminal !== 0 && stat.foregroundGroup === stat.group;
}

function ownStat(): ReturnType<typeof parseStat> {
  const bytes = readBytes('/proc/self/stat');
  return Buffer.isBuffer(bytes) ? parseStat(bytes) : null;
}

/** Our current directory. A directory that was removed has the name that the kernel shows for it. */
export function ownDirectory(): string {
  try {
    return process.cwd();
  } catch {
    const link = readLink('/proc/self/cwd');
    return isAbsent(link) ? '/' : link;
  }
}

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

/** Whether Node could read its own argv: bytes that are not UTF-8 were replaced. */
export function argvIsUtf8(): boolean {
  const bytes = readBytes('/proc/self/cmdline');
  return !Buffer.isBuffer(bytes) || isUtf8(bytes);
}

let known: number | null = null;

/** Size of a memory page in bytes: 4,096 almost everywhere, 16 or 64 KB on some ARM machines. */
export function pageBytes(): number {
  if (known !== null) return known;
  const text = readText('/proc/self/smaps');
  const size = isAbsent(text) ? null : /^KernelPageSize:\s+(\d+) kB$/m.exec(text);
  known = size === null ? 4096 : Number(size[1]) * 1024;
  return known;
}

/** The same number on x86, arm and riscv. */
const FIONREAD = 0x541b;

/** How many bytes wait to be read from a pipe or socket of this process; 0: none, or not known (no koffi). */
export function unreadBytes(fd: number): number {
  const count = Buffer.alloc(4);
  return loadLibc()?.ioctl(fd, FIONREAD, count) === 0 ? count.readInt32LE(0) : 0;
}

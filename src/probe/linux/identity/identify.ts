import fs from 'node:fs';
import os from 'node:os';
import { type Absent, isAbsent } from '../../../model/facts/absence.js';
import { matchIdentity, type ProcessIdentity } from '../../../model/facts/identity.js';
import { ticksPerSecond } from '../../../model/facts/sample.js';
import type { ProcessState } from '../../../model/facts/snapshot.js';
import type { KernelFiles } from '../kernel/kernel.js';
import { attempt, readBytes, readPiece, readText } from '../proc/proc-file.js';
import { parseSchedstat } from '../proc/schedstat.js';
import { isKernelThread, parseStat } from '../proc/stat.js';

let boot = '';

/**
 * Empty: not readable yet; no identity is ever proven with it. Read once: it cannot change while this process lives.
 */
export function bootId(): string {
  if (boot !== '') return boot;
  const text = readText('/proc/sys/kernel/random/boot_id');
  if (!isAbsent(text)) boot = text.trim();
  return boot;
}

export function startTicks(pid: number, read: KernelFiles['bytes'] = readBytes): number | null {
  const bytes = read(`/proc/${pid}/stat`);
  return Buffer.isBuffer(bytes) ? (parseStat(bytes)?.startTicks ?? null) : null;
}

/** null: there is no such process (any more). */
export function identify(pid: number): ProcessIdentity | null {
  const ticks = startTicks(pid);
  return ticks === null ? null : { bootId: bootId(), pid, startTicks: ticks };
}

const uptimeAgeMsMax = 10;
let uptime = { atMs: Number.NEGATIVE_INFINITY, ms: 0 };

/**
 * Time since the machine started: the same for all processes, and no program can set it. The value is cached for a
 * moment: a list needs it for every run, and the kernel call takes longer than all the rest.
 */
export function uptimeMs(): number {
  const atMs = performance.now();
  if (atMs - uptime.atMs > uptimeAgeMsMax) uptime = { atMs, ms: os.uptime() * 1000 };
  return uptime.ms;
}

/** Time since a process of this boot started, by a clock that no program can set. */
export function ageMs({ startTicks }: ProcessIdentity): number {
  return Math.max(0, uptimeMs() - (startTicks / ticksPerSecond) * 1000);
}

/** How long the main thread of a process has computed and waited for a CPU so far; 0: not known. */
export function cpuWantedMs(pid: number): number {
  const text = readText(`/proc/${pid}/schedstat`);
  const times = isAbsent(text) ? null : parseSchedstat(text);
  return times === null ? 0 : (times.ranNs + times.delayedNs) / 1e6;
}

/** A line of the process table. */
export interface ProcessRow {
  readonly pid: number;
  readonly startTicks: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** The name of the process; a process that was just forked still has its parent's name. */
  readonly name: string;
  readonly state: ProcessState;
  /** No thread of it runs any more; its parent has not asked for its exit status yet. */
  readonly ended: boolean;
  readonly kernelThread: boolean;
}

export function readRow(pid: number, files?: KernelFiles): ProcessRow | Absent {
  const path = `/proc/${pid}/stat`;
  const bytes = files === undefined ? readPiece(path) : files.bytes(path);
  if (isAbsent(bytes)) return bytes;
  const stat = parseStat(bytes);
  if (stat === null) return { absent: 'failed' };
  const { startTicks, parent, group, session, name, state, threads } = stat;
  return {
    pid,
    startTicks,
    parent,
    group,
    session,
    name,
    state,
    // A main thread that has ended while other threads go on shows as Z, too.
    ended: state === 'X' || (state === 'Z' && threads <= 1),
    kernelThread: isKernelThread(stat),
  };
}

/**
 * `ended`: proven, and also a zombie whose parent has not waited for it. `unknown`: /proc could not be read; the process
 * may live.
 */
type Liveness = 'alive' | 'ended' | 'unknown';

/** Whether a process exists this instant. */
export function livenessOf(identity: ProcessIdentity): Liveness {
  const row = readRow(identity.pid);
  if (isAbsent(row)) return row.absent === 'gone' ? 'ended' : 'unknown';
  const { pid, startTicks, ended } = row;
  const boot = bootId();
  // Another start time is another process, in every boot.
  const isComparable = boot !== '' && identity.bootId !== '';
  const match = matchIdentity(identity, { pid, startTicks, ...(isComparable && { bootId: boot }) });
  if (match === 'uncertain') return 'unknown';
  return match === 'same' && !ended ? 'alive' : 'ended';
}

/** The user whose rights a process has now: the directory of /proc belongs to its effective user. */
export function ownerOf(pid: number): number | Absent {
  return attempt(() => fs.statSync(`/proc/${pid}`).uid);
}

/** Proven to have the rights of the same user as this process. */
export function isOwn(pid: number): boolean {
  return ownerOf(pid) === process.geteuid?.();
}

/** Whether any process has this pid, also one that may not be signalled (EPERM). */
export function hasNumber(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

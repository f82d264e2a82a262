import fs from 'node:fs';
import { Failure } from '../../../model/failure.js';
import { readLink } from '../proc/proc-file.js';

/** Whether this machine has a /proc that can be read the Linux way, and that shows this process. */
export function hasProc(): boolean {
  return process.platform === 'linux' && fs.existsSync('/proc/self/stat');
}

/** The first pid namespace always has this number (PROC_PID_INIT_INO). */
export const firstPidNamespace = 'pid:[4026531836]';

/** Whether this process is in the first pid namespace, which shows every process of the machine. */
export function seesEveryPid(): boolean {
  return readLink('/proc/self/ns/pid') === firstPidNamespace;
}

/** The error and its remedy on a Linux without /proc. ps and lsof read the same files. */
export const noProc = {
  finding: '/proc is not mounted here, or belongs to another pid namespace',
  fix: 'mount it: mount -t proc proc /proc',
};

/** Throws a Failure on Windows, which has no /proc, no process groups and no signals. */
export function needUnix(): void {
  if (process.platform !== 'win32') return;
  throw new Failure('unsupported', 'Windows is not supported', 'use it inside of WSL, which is Linux');
}

/** `what` is impossible without /proc: throws a Failure on a Linux without it. Other systems have other ways. */
export function needProc(what: string): void {
  if (process.platform !== 'linux' || hasProc()) return;
  throw new Failure('unsupported', `${noProc.finding}: ${what}`, noProc.fix);
}

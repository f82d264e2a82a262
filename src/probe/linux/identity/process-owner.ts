import fs from 'node:fs';
import type { Absent } from '../../../model/facts/absence.js';
import { attempt } from '../proc/proc-file.js';

/** The user whose rights a process has now: the directory of /proc belongs to its effective user. */
export function ownerOf(pid: number): number | Absent {
  return attempt(() => fs.statSync(`/proc/${pid}`).uid);
}

/** Proven to have the rights of the same user as this process. */
export function isOwn(pid: number): boolean {
  return ownerOf(pid) === process.geteuid?.();
}

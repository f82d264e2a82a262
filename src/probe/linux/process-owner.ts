import fs from 'node:fs';
import { isAbsent } from '../../model/absence.js';
import { attempt } from './proc-file.js';

/** Whether a process has the rights of our own user now: the directory of /proc belongs to its effective user. */
export function isOwn(pid: number): boolean {
  const directory = attempt(() => fs.statSync(`/proc/${pid}`));
  return !isAbsent(directory) && directory.uid === process.geteuid?.();
}

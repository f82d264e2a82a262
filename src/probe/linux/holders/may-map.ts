import { type Absent, isAbsent } from '../../../model/facts/absence.js';
import type { FdFacts } from '../../../model/facts/snapshot.js';
import { inodeOf, unnamedFileOf } from '../proc/maps.js';
import type { ProcDir } from '../proc/proc-dir.js';

/** fdinfo shows the inode since Linux 5.14; before, the former name is compared. */
function isInode(dir: ProcDir, fd: number, inode: string): boolean {
  const info = dir.text(`fdinfo/${fd}`);
  const found = isAbsent(info) ? undefined : /^ino:\s*(\d+)/m.exec(info)?.[1];
  return found === undefined || found === inode;
}

/** Whether a process has the file behind a mapping open although it has no name any more: it may map it at any time. */
export function mayMap(dir: ProcDir, fds: readonly FdFacts[] | Absent, mapping: string): boolean {
  const link = unnamedFileOf(mapping);
  if (link === null || isAbsent(fds)) return false;
  return fds.some((file) => file.link === link && isInode(dir, file.fd, inodeOf(mapping)));
}

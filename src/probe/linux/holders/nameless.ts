import fs from 'node:fs';
import { isAbsent } from '../../../model/facts/absence.js';
import type { ProcessDir } from '../kernel/kernel.js';
import { isRemote, type Mount, mountsIn } from '../proc/mounts.js';
import { ProcDir } from '../proc/proc-dir.js';
import { attempt } from '../proc/proc-file.js';

/** A shared mapping of a file that is not under its name any more. */
export interface RemovedFile {
  /** Start and end, as in /proc/PID/map_files. */
  range: string;
  /** As in maps: two hexadecimal numbers. */
  device: string;
  inode: string;
  path: string;
}

const entriesMax = 5000;
/** Memory without a file system: no link() reaches it, whatever its name is. */
const kernelOwn = /^\/(memfd:|dev\/zero$)/;

/** `00:1b` of maps is `0:27` in mountinfo. */
const decimal = (device: string): string =>
  device
    .split(':')
    .map((part) => Number.parseInt(part, 16))
    .join(':');

function linksOf(dir: ProcessDir, name: string, inode: string): number | null {
  const stat = dir.stat(name);
  return isAbsent(stat) || String(stat.inode) !== inode ? null : stat.links;
}

/** Through a descriptor of the process itself, which may be read without the rights that map_files needs. */
function linksThroughFd(dir: ProcessDir, { path, inode }: RemovedFile): number | null {
  const fds = dir.numbers('fd');
  if (isAbsent(fds) || isRemote(dir, path)) return null;
  for (const fd of fds) {
    if (dir.link(`fd/${fd}`) !== `${path} (deleted)`) continue;
    const links = linksOf(dir, `fd/${fd}`, inode);
    if (links !== null) return links;
  }
  return null;
}

/** Whether every name on a file system was read, and no name is of this file. */
function isNowhere(dir: ProcDir, mounts: readonly Mount[], file: RemovedFile): boolean {
  const mount = mounts.find(({ device, root }) => device === decimal(file.device) && root === '/');
  if (mount === undefined || mount.type !== 'tmpfs') return false;
  const { point } = mount;
  // A mount below hides names.
  if (mounts.some((other) => other !== mount && other.point.startsWith(`${point}/`))) return false;
  const top = dir.path(`root${point}`);
  const stat = attempt(() => fs.statSync(top));
  if (isAbsent(stat) || `${stat.dev >> 8}:${stat.dev & 0xff}` !== mount.device) return false;
  const folders = [top];
  let left = entriesMax;
  for (const folder of folders) {
    const entries = attempt(() => fs.readdirSync(folder, { withFileTypes: true }));
    if (isAbsent(entries)) return false;
    for (const entry of entries) {
      left -= 1;
      const path = `${folder}/${entry.name}`;
      if (left < 0) return false;
      if (entry.isDirectory()) folders.push(path);
      else {
        const found = attempt(() => fs.lstatSync(path, { bigint: true }).ino);
        if (isAbsent(found) || String(found) === file.inode) return false;
      }
    }
  }
  return true;
}

/**
 * Whether a removed file has no other name either. glibc makes a semaphore under one name, links it to the real name
 * and removes the first: maps shows `(deleted)` for a file that any process can open.
 */
export function isNameless(dir: ProcessDir, file: RemovedFile): boolean {
  const mountinfo = dir.text('mountinfo');
  const mounts = isAbsent(mountinfo) ? null : mountsIn(mountinfo);
  const isMounted = mounts === null || mounts.some(({ device }) => device === decimal(file.device));
  if (kernelOwn.test(file.path) && !isMounted) return true;
  const links = linksOf(dir, `map_files/${file.range}`, file.inode) ?? linksThroughFd(dir, file);
  if (links !== null) return links === 0;
  return mounts !== null && dir instanceof ProcDir && isNowhere(dir, mounts, file);
}

import { isAbsent } from '../../../model/facts/absence.js';
import { isInside } from '../../../text/is-inside.js';
import type { ProcessDir } from '../kernel/kernel.js';

/** File systems whose server may be gone: a stat or read of theirs can block the caller for ever. */
const remoteTypes = /^(nfs|cifs|smb|fuse|9p|ceph|gluster|afs|lustre|gfs|ocfs|virtiofs|autofs)/;

export interface Mount {
  /** Major and minor number, decimal. */
  device: string;
  /** The part of the file system that is mounted there. */
  root: string;
  point: string;
  type: string;
}

/** `36 35 98:0 / /mnt rw - nfs4 server:/x rw`: mount point is field 5, the type follows the lone dash. */
export function mountsIn(mountinfo: string): Mount[] {
  const mounts: Mount[] = [];
  for (const line of mountinfo.split('\n')) {
    const [place = '', rest = ''] = line.split(' - ');
    const [, , device, root, point] = place.split(' ');
    if (device === undefined || root === undefined || point === undefined) continue;
    mounts.push({ device, root, point, type: rest.split(' ')[0] ?? '' });
  }
  return mounts;
}

export function remoteMounts(mountinfo: string): string[] {
  return mountsIn(mountinfo)
    .filter(({ type }) => remoteTypes.test(type))
    .map(({ point }) => point);
}

/** Whether a path, as that process sees it, lies on a file system that might never answer. */
export function isRemote(dir: ProcessDir, path: string): boolean {
  const mountinfo = dir.text('mountinfo');
  if (isAbsent(mountinfo)) return true;
  return remoteMounts(mountinfo).some((point) => isInside(path, point));
}

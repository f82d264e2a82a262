import type { RemovedFile } from '../holders/nameless.js';

/** System V segments never had a name in the file system, and any process that knows their number may attach them. */
const segment = /^\/SYSV[0-9a-f]{8}$/;

/**
 * Device and inode of the shared mapping an address lies in: they identify a shared futex in other processes. A file
 * that is not under its name any more is named after them; `nameless`: it has no other name either, so only processes
 * that have it open can map it; `deleted`: that is not known, or not so.
 */
export function sharedMappingAt(
  maps: string,
  address: bigint,
  isNameless: (file: RemovedFile) => boolean,
): string | null {
  for (const line of maps.split('\n')) {
    const match = /^([0-9a-f]+)-([0-9a-f]+) ...(.) [0-9a-f]+ (\S+) (\d+)(?: +(.*) \(deleted\)$)?/.exec(line);
    if (match === null) continue;
    const [, from = '', to = '', sharing, device, inode, deleted] = match;
    if (address < BigInt(`0x${from}`) || address >= BigInt(`0x${to}`)) continue;
    if (sharing !== 's') return null;
    const place = `${device}:${inode}`;
    if (deleted === undefined || segment.test(deleted)) return place;
    // The kernel writes a line feed in a name in this form.
    const path = deleted.replaceAll('\\012', '\n');
    const range = `${from.replace(/^0+/, '')}-${to.replace(/^0+/, '')}`;
    const nameless = isNameless({ range, device: device ?? '', inode: inode ?? '', path });
    return `${place} ${path} ${nameless ? 'nameless' : 'deleted'}`;
  }
  return null;
}

/** Whether a process maps that device and inode shared, and so could wake a futex that lies in it. */
export function mapsShared(maps: string, mapping: string): boolean {
  const [device, inode] = splitMapping(mapping);
  for (const line of maps.split('\n')) {
    const fields = line.split(/\s+/, 5);
    if (fields[1]?.[3] === 's' && fields[3] === device && fields[4] === inode) return true;
  }
  return false;
}

/**
 * The file behind a mapping that is not under its name any more, as links to it read; null: the file is under its name.
 */
export function unnamedFileOf(mapping: string): string | null {
  const path = /^\S+ (.+) (?:deleted|nameless)$/s.exec(mapping)?.[1];
  return path === undefined ? null : `${path} (deleted)`;
}

export function inodeOf(mapping: string): string {
  return splitMapping(mapping)[1];
}

function splitMapping(mapping: string): [string, string] {
  const [place = ''] = mapping.split(' ');
  const at = place.lastIndexOf(':');
  return [place.slice(0, at), place.slice(at + 1)];
}

/**
 * Device and inode of the shared mapping an address lies in: what a shared futex is known by elsewhere.
 * `deleted`: the file has no name any more, so that nobody else can still map it.
 */
export function sharedMappingAt(maps: string, address: bigint): string | null {
  for (const line of maps.split('\n')) {
    const match = /^([0-9a-f]+)-([0-9a-f]+) ...(.) [0-9a-f]+ (\S+) (\d+)( .* \(deleted\)$)?/.exec(line);
    if (match === null) continue;
    const [, from = '', to = '', sharing, device, inode, deleted] = match;
    if (address < BigInt(`0x${from}`) || address >= BigInt(`0x${to}`)) continue;
    if (sharing !== 's') return null;
    return `${device}:${inode}${deleted === undefined ? '' : ' deleted'}`;
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

function splitMapping(mapping: string): [string, string] {
  const [place = ''] = mapping.split(' ');
  const at = place.lastIndexOf(':');
  return [place.slice(0, at), place.slice(at + 1)];
}

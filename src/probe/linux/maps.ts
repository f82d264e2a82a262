/** Device and inode of the shared mapping an address lies in: what a shared futex is known by elsewhere. */
export function sharedMappingAt(maps: string, address: bigint): string | null {
  for (const line of maps.split('\n')) {
    const match = /^([0-9a-f]+)-([0-9a-f]+) ...(.) [0-9a-f]+ (\S+) (\d+)/.exec(line);
    if (match === null) continue;
    const [, from = '', to = '', sharing, device, inode] = match;
    if (address < BigInt(`0x${from}`) || address >= BigInt(`0x${to}`)) continue;
    return sharing === 's' ? `${device}:${inode}` : null;
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
  const at = mapping.lastIndexOf(':');
  return [mapping.slice(0, at), mapping.slice(at + 1)];
}

import type { FileLockFacts } from '../../../model/facts/snapshot.js';

/** `1: -> FLOCK  ADVISORY  WRITE 12416 fe:00:2146322 0 EOF`: a row with an arrow waits behind row 1. */
const row = /^(\d+):(\s+->)?\s+(\S+)\s+\S+\s+(\S+)\s+(-?\d+)\s+(\S+)/;

export function parseLocks(text: string): FileLockFacts[] {
  const locks: FileLockFacts[] = [];
  for (const line of text.split('\n')) {
    const match = row.exec(line);
    if (match === null) continue;
    const [, id, arrow, type = '', mode = '', pid, file = ''] = match;
    locks.push({ id: Number(id), type, mode, pid: Number(pid), file, held: arrow === undefined });
  }
  return locks;
}

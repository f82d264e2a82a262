import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';

const systemDirs = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

/** PATH of every fixture: the system's own tools first, so that version manager shims do not add processes to the tree. */
export const fixturePath = [
  ...new Set([...systemDirs, ...(process.env.PATH ?? '').split(':').filter(Boolean)]),
].join(':');

/** Where a tool is on the fixtures' PATH, or null. */
export function findTool(name: string): string | null {
  for (const dir of fixturePath.split(':')) {
    const file = join(dir, name);
    try {
      accessSync(file, constants.X_OK);
      if (statSync(file).isFile()) return file;
    } catch {
      // not in this directory
    }
  }
  return null;
}

import fs from 'node:fs';
import path from 'node:path';

/** Where a program is, or null. A relative place in PATH means something else in every directory: not taken. */
export function findOnPath(name: string, env: NodeJS.ProcessEnv = process.env): string | null {
  for (const place of (env.PATH ?? '').split(':').filter(path.isAbsolute)) {
    const file = path.join(place, name);
    try {
      fs.accessSync(file, fs.constants.X_OK);
      if (fs.statSync(file).isFile()) return file;
    } catch {
      // not here
    }
  }
  return null;
}

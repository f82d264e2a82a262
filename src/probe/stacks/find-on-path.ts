import fs from 'node:fs';
import path from 'node:path';

/** The path of a program, or null. A relative entry in PATH means something else in every directory: it is ignored. */
export function findOnPath(name: string, env: NodeJS.ProcessEnv = process.env): string | null {
  for (const place of (env.PATH ?? '').split(':').filter(path.isAbsolute)) {
    const file = path.join(place, name);
    try {
      fs.accessSync(file, fs.constants.X_OK);
      if (fs.statSync(file).isFile()) return file;
    } catch {
      // The program is not in this directory.
    }
  }
  return null;
}

import fs from 'node:fs';
import path from 'node:path';

/**
 * Creates the parents too. Node's `recursive` loops for ever where a parent exists but takes no directories, as in
 * /proc.
 */
export function makeDirectory(dir: string, mode = 0o777): void {
  try {
    makeOne(dir, mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' || fs.existsSync(path.dirname(dir))) throw error;
    makeDirectory(path.dirname(dir), mode);
    makeOne(dir, mode);
  }
}

/** Another process may create it at the same moment. */
function makeOne(dir: string, mode: number): void {
  try {
    fs.mkdirSync(dir, { mode });
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST' && fs.statSync(dir).isDirectory();
    if (!isThere) throw error;
  }
}

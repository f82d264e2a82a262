import fs from 'node:fs';

/** More than any small file of ours. */
const bytesMax = 16 * 1024 * 1024;

/** What is in a file that anybody may have written; null: nothing that can be read. */
export function readJson(file: string, max = bytesMax): unknown {
  try {
    const stat = fs.statSync(file);
    // Reading a FIFO would never end.
    return stat.isFile() && stat.size <= max ? JSON.parse(fs.readFileSync(file, 'utf8')) : null;
  } catch {
    return null;
  }
}

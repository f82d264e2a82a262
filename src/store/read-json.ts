import fs from 'node:fs';
import { mapReading, type Reading, readingOf } from '../model/reading.js';

/** More than any small file of ours. */
const bytesMax = 16 * 1024 * 1024;

/** What is in a file that anybody may have written; null: it is not there, or nothing of ours. */
export function readJson(file: string, max = bytesMax): Reading<unknown> {
  const text = readingOf(() => {
    const stat = fs.statSync(file);
    // Reading a FIFO would never end.
    return stat.isFile() && stat.size <= max ? fs.readFileSync(file, 'utf8') : null;
  }, null);
  return mapReading(text, (content) => (content === null ? null : parse(content)));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

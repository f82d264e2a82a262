import fs from 'node:fs';
import { mapReading, type Reading, readingOf } from '../model/facts/reading.js';

/** More than Unstuck writes to any small file. */
const bytesMax = 16 * 1024 * 1024;

/** Content of an untrusted file; null: it is missing or not JSON. */
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

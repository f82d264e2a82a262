import fs from 'node:fs';
import { countNewlines } from '../../diagnose/progress/newlines.js';
import type { RunLog } from '../../model/run/run.js';
import { readOwnFile } from '../../store/files.js';
import type { RunDirectory } from '../../store/run-directory.js';

/** More output than this is not read again only to count its lines. */
const bytesMax = 4 * 1024 * 1024;

/** Lines in the logs of a run; null: there is too much, or it cannot be read. */
export function countLines(directory: RunDirectory | null, logs: readonly RunLog[]): number | null {
  if (directory === null) return null;
  try {
    return logs.reduce((sum, { file, start }) => {
      const { size } = fs.statSync(directory.file(file));
      if (size > bytesMax) throw new Error('too much');
      return sum + countNewlines(readOwnFile(directory.file(file), start, Math.max(start, size)));
    }, 0);
  } catch {
    return null;
  }
}

import path from 'node:path';
import { knownValue } from '../../model/facts/reading.js';
import { readJson, writeWhole } from '../files.js';

/** What was dropped at the head of a log for the disk cap. The bytes become a hole, so offsets stay valid. */
export interface Trimmed {
  /** Bytes of output; the header is kept. */
  droppedBytes: number;
  /** Line ends among them, which is the number of the first line that is left. */
  droppedLines: number;
}

const fileName = 'trimmed.json';

const nothing: Trimmed = { droppedBytes: 0, droppedLines: 0 };

/** Of the run in this directory; zero when nothing was recorded. Throws a Failure when it cannot be read. */
export function readTrimmed(directory: string): Trimmed {
  const saved = knownValue(readJson(path.join(directory, fileName)), fileName) ?? {};
  const { droppedBytes, droppedLines } = saved as Partial<Trimmed>;
  return isCount(droppedBytes) && isCount(droppedLines) ? { droppedBytes, droppedLines } : nothing;
}

/** Written before the hole is made: a process killed in between has dropped bytes that are still there, and no more. */
export function writeTrimmed(directory: string, trimmed: Trimmed): void {
  writeWhole(path.join(directory, fileName), trimmed);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

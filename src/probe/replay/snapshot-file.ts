import type { Snapshot } from '../../model/facts/snapshot.js';
import { readBounded, saveJson } from './json-file.js';

const snapshotBytesMax = 256 * 1024 * 1024;

/** Writes a snapshot whole or not at all, readable by its owner only: it names files and processes. */
export function saveSnapshot(file: string, snapshot: Snapshot): Promise<void> {
  return saveJson(file, snapshot, 'snapshot');
}

/**
 * Reads a saved snapshot, or makes it from a saved capture; `-`: from standard input. It comes from outside: it is
 * checked before it is used.
 */
export async function loadSnapshot(file: string, bytesMax = snapshotBytesMax): Promise<Snapshot> {
  const text = await readBounded(file, bytesMax);
  const { parseJson, checkSnapshot } = await import('./parse-snapshot.js');
  const json = parseJson(text, file);
  const { isCapture, parseCapture } = await import('../linux/capture/capture-file.js');
  if (!isCapture(json)) return checkSnapshot(json, file);
  const { snapshotOf } = await import('../linux/capture/capture-snapshot.js');
  return snapshotOf(parseCapture(json));
}

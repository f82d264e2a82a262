import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { Failure } from '../../model/failure.js';
import type { Snapshot } from '../../model/snapshot.js';

const snapshotBytesMax = 256 * 1024 * 1024;

/** Writes a snapshot whole or not at all, readable by its owner only: it names files and processes. */
export async function saveSnapshot(file: string, snapshot: Snapshot): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, `${JSON.stringify(snapshot)}\n`, { mode: 0o600, flag: 'wx' });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new Failure(
      'cannot-write',
      `cannot write the snapshot to ${file}: ${(error as Error).message}`,
      'choose a file in a directory you may write to',
      { cause: error },
    );
  }
}

/** Reads a saved snapshot. It comes from outside: it is checked before anything looks at it. */
export async function loadSnapshot(file: string): Promise<Snapshot> {
  let text: string;
  try {
    const { size } = await stat(file);
    if (size > snapshotBytesMax) {
      throw new Failure(
        'bad-snapshot',
        `${file} has ${size} bytes, more than a snapshot ever has (${snapshotBytesMax})`,
        'name a file written by: unstuck why PID --save FILE',
      );
    }
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(
      'cannot-read',
      `cannot read ${file}: ${(error as Error).message}`,
      'name a file written by: unstuck why PID --save FILE',
      { cause: error },
    );
  }
  const { parseSnapshot } = await import('./parse-snapshot.js');
  return parseSnapshot(text, file);
}

import { createReadStream } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import type { Snapshot } from '../../model/facts/snapshot.js';
import { Failure } from '../../model/failure.js';

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

/** Reads a saved snapshot; `-`: from standard input. It comes from outside: it is checked before it is used. */
export async function loadSnapshot(file: string, bytesMax = snapshotBytesMax): Promise<Snapshot> {
  const text = await readBounded(file, bytesMax);
  const { parseSnapshot } = await import('./parse-snapshot.js');
  return parseSnapshot(text, file);
}

const hint = 'name a file written by: unstuck why PID --save FILE';

/** Counted while reading: a pipe or a device has no size. */
async function readBounded(file: string, bytesMax: number): Promise<string> {
  const from = file === '-' ? { fd: 0, autoClose: false } : {};
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(file, from) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > bytesMax) {
        const message = `${file} has more bytes than a snapshot ever has (${bytesMax})`;
        throw new Failure('bad-snapshot', message, hint);
      }
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure('cannot-read', `cannot read ${file}: ${(error as Error).message}`, hint, {
      cause: error,
    });
  }
  return Buffer.concat(chunks).toString();
}

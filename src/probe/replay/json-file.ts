import { createReadStream } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { Failure } from '../../model/failure.js';

/** Writes evidence whole or not at all, readable by its owner only; `what` it is, for an error. */
export async function saveJson(file: string, evidence: object, what: string): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, `${JSON.stringify(evidence)}\n`, { mode: 0o600, flag: 'wx' });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new Failure(
      'cannot-write',
      `cannot write the ${what} to ${file}: ${(error as Error).message}`,
      'choose a file in a directory you may write to',
      { cause: error },
    );
  }
}

const hint = 'name a file written by: unstuck why PID --save FILE, or --capture FILE';

/** Counted while reading: a pipe or a device has no size. */
export async function readBounded(file: string, bytesMax: number): Promise<string> {
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

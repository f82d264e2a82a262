import fs from 'node:fs';
import path from 'node:path';
import { loadLibc } from '../../probe/machine.js';
import { countLineEnds } from '../../store/log/line-index.js';
import { readTrimmed, type Trimmed, writeTrimmed } from '../../store/log/trimmed.js';

/** linux/falloc.h: give the blocks back, leave the size as it is. */
const punchHole = 0x01 | 0x02;

const blockBytes = 512;
const chunkBytes = 1024 * 1024;
const newline = 0x0a;

/** The share of the cap that stays, so that a growing log is trimmed now and then, not all the time. */
const keptShare = 3 / 4;
/** The last share of the dropped part, which may be kept for the sake of a whole line. */
const lineShare = 1 / 2;

interface TrimOptions {
  /** Bytes of the header, which stays. */
  start: number;
  capBytes: number;
}

export type TrimResult =
  | { kind: 'small-enough' }
  | ({ kind: 'trimmed' } & Trimmed)
  /** Nothing was done, and the log goes on growing. */
  | { kind: 'not-trimmed'; reason: string }
  /** Nothing was done, but it may be possible later. */
  | { kind: 'not-now'; reason: string };

/**
 * The disk cap: frees the blocks at the head of a log whose blocks exceed the cap. A process that appends to the log is
 * not affected, offsets stay valid, and the number of dropped bytes is written next to the log.
 */
export async function trimLog(file: string, { start, capBytes }: TrimOptions): Promise<TrimResult> {
  const libc = loadLibc();
  let handle: fs.promises.FileHandle | null = null;
  try {
    handle = await fs.promises.open(file, 'r+');
    const { size, blocks } = await handle.stat();
    if (blocks * blockBytes <= capBytes) return { kind: 'small-enough' };
    if (libc === null) return { kind: 'not-trimmed', reason: 'koffi has no binary for this machine' };
    const directory = path.dirname(file);
    const before = readTrimmed(directory);
    const trimmed = await nextTrimmed(handle, start, before, size - Math.floor(capBytes * keptShare));
    if (trimmed.droppedBytes === 0) return { kind: 'small-enough' };
    if (trimmed !== before) writeTrimmed(directory, trimmed);
    // From the very beginning, because a daemon that recorded an earlier trim may have been killed before it freed the
    // blocks.
    if (libc.fallocate(handle.fd, punchHole, start, trimmed.droppedBytes) !== 0) {
      if (trimmed !== before) writeTrimmed(directory, before);
      return { kind: 'not-trimmed', reason: 'this file system cannot give back the head of a file' };
    }
    return { kind: 'trimmed', ...trimmed };
  } catch (error) {
    return { kind: 'not-now', reason: (error as Error).message };
  } finally {
    await handle?.close();
  }
}

/** What to drop so that the bytes from `cut` on stay, with the line they are in if it is not too long. */
async function nextTrimmed(
  handle: fs.promises.FileHandle,
  start: number,
  before: Trimmed,
  cut: number,
): Promise<Trimmed> {
  const from = start + before.droppedBytes;
  const buffer = Buffer.allocUnsafe(chunkBytes);
  let lines = before.droppedLines;
  let lineStart = from;
  for (let at = from; at < cut; ) {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(chunkBytes, cut - at), at);
    if (bytesRead === 0) break;
    const bytes = buffer.subarray(0, bytesRead);
    lines += countLineEnds(bytes);
    const lineEnd = bytes.lastIndexOf(newline);
    if (lineEnd !== -1) lineStart = at + lineEnd + 1;
    at += bytesRead;
  }
  if (cut <= from) return before;
  const end = lineStart - from >= (cut - from) * lineShare ? lineStart : cut;
  return { droppedBytes: end - start, droppedLines: lines };
}

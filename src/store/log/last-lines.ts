import type { ReadAt } from './line-index.js';

const newline = 0x0a;
const blockBytes = 256 * 1024;
/** Bytes searched for line starts; only the end of a longer line is shown. */
const searchedBytesMax = 16 * 1024 * 1024;

/**
 * Offsets where the last `count` lines between two offsets begin, read from the end; the last entry is the end itself.
 */
export async function lastLineStarts(
  read: ReadAt,
  { from, end }: { from: number; end: number },
  count: number,
  signal: AbortSignal,
): Promise<number[]> {
  const first = Math.max(from, end - searchedBytesMax);
  const buffer = Buffer.allocUnsafe(blockBytes);
  const starts = [end];
  let to = end;
  while (to > first && starts.length <= count) {
    signal.throwIfAborted();
    const at = Math.max(first, to - blockBytes);
    const bytes = buffer.subarray(0, await read(buffer.subarray(0, to - at), at));
    for (let place = bytes.lastIndexOf(newline); place !== -1 && starts.length <= count; ) {
      // The newline at the very end begins no line.
      if (at + place + 1 < end) starts.unshift(at + place + 1);
      place = place === 0 ? -1 : bytes.lastIndexOf(newline, place - 1);
    }
    to = at;
  }
  if (starts.length <= count && end > first) starts.unshift(first);
  return starts;
}

import { Failure } from '../../../model/failure.js';

/** One frame of a capture. Letters and content: collector.ts. */
export interface Frame {
  letter: string;
  /** The rest of its first line. */
  name: string;
  bytes: Buffer;
}

const framesMax = 1_000_000;
const nameCharsMax = 8192;

export function badCapture(
  problem: string,
  hint = 'write it again with: unstuck why PID --capture FILE',
): Failure {
  return new Failure('bad-snapshot', `this is no capture of unstuck: ${problem}`, hint);
}

/** Divides what a collector printed into frames. Text before the first frame (a greeting of the host) is ignored. */
export function parseFrames(stream: Buffer, mark: string): Frame[] {
  const frames: Frame[] = [];
  const start = Buffer.from(`\n${mark} `);
  for (let at = stream.indexOf(start); at >= 0; ) {
    const nameAt = at + start.length;
    const lineEnd = stream.indexOf(10, nameAt);
    if (lineEnd < 0) break;
    const next = stream.indexOf(start, lineEnd);
    const line = stream.toString('utf8', nameAt, Math.min(lineEnd, nameAt + nameCharsMax));
    const bytes = stream.subarray(lineEnd + 1, next < 0 ? stream.length : next);
    frames.push({ letter: line.slice(0, 1), name: line.slice(2), bytes });
    if (frames.length > framesMax) throw badCapture(`it has more than ${framesMax} frames`);
    at = next;
  }
  return frames;
}

import { randomBytes } from 'node:crypto';
import { Failure } from '../../../model/failure.js';
import { assemble } from './assemble.js';
import type { Capture } from './capture.js';
import { type CollectorLimits, collectorLimits, collectorScript } from './collector.js';
import { type Frame, parseFrames } from './frames.js';

/** Runs a script with a plain shell somewhere, and resolves with what it printed. */
export type RunScript = (script: string) => Promise<Buffer>;

export interface Collected {
  targetPid: number;
  frames: Frame[];
}

/** Runs the collector in a place. Rejects with a Failure when what it prints is too much, or not whole. */
export async function collect(
  pid: number,
  run: RunScript,
  limits: Partial<CollectorLimits> = {},
): Promise<Collected> {
  const mark = randomBytes(16).toString('hex');
  const printed = await run(collectorScript(pid, mark, { ...collectorLimits, ...limits }));
  const frames = parseFrames(printed, mark);
  if (frames.length === 0)
    throw new Failure(
      'cannot-read',
      'the place printed nothing that a collector prints: it has no sh, or no /proc',
      'try: echo "cat /proc/self/stat" with sh -s in that place',
    );
  return { targetPid: pid, frames };
}

export function captureOf({ targetPid, frames }: Collected): Capture {
  return assemble(targetPid, frames);
}

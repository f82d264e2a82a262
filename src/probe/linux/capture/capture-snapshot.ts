import type { Snapshot } from '../../../model/facts/snapshot.js';
import { checkSnapshot } from '../../replay/parse-snapshot.js';
import { takeSnapshots } from '../snapshot/take-snapshots.js';
import { capturedKernel } from './captured-kernel.js';
import { type Collected, captureOf } from './collect.js';

/**
 * The snapshot of a capture: the parsers of this machine's /proc read the files of another. Its files come from outside,
 * and no kernel vouches for their form: the snapshot is checked like one that was saved.
 */
export async function snapshotOf(collected: Collected): Promise<Snapshot> {
  const capture = captureOf(collected);
  const [taking] = takeSnapshots([capture.targetPid], { gapMs: 0 }, undefined, capturedKernel(capture));
  if (taking === undefined) throw new Error('no snapshot');
  const snapshot = await taking;
  const at = new Date(capture.realtimeMs).toISOString();
  return checkSnapshot({ ...snapshot, at }, 'the capture');
}

import type { TreeSample } from '../../model/run/health.js';
import type { VerdictKind } from '../../model/verdict.js';

/** States of the command itself that a sample shows, and what they mean. */
export const haltedStates: Record<string, VerdictKind> = { Z: 'zombie', T: 'stopped', t: 'stopped' };

export function isStoppedLeader({ leaderState }: TreeSample): boolean {
  return haltedStates[leaderState ?? ''] === 'stopped';
}

import type { HealthTick } from '../../model/run/health.js';
import type { Seen } from './excuse.js';
import type { HealthState } from './state.js';

/** How long no byte has been sent or received. */
export type NetworkQuiet = Pick<HealthState, 'networkQuietMs' | 'networkUnsureMs'>;

const none: NetworkQuiet = { networkQuietMs: 0, networkUnsureMs: 0 };

/**
 * Bytes are counted by snapshots only, each since the previous one. In between, a process that did not run has received
 * none; a process that ran may have: its earlier quiet time is not reported again until a snapshot has confirmed it.
 */
export function nextNetworkQuiet(
  before: NetworkQuiet,
  { sample, printed, verdict }: HealthTick,
  seen: Seen | null,
  countedMs: number,
): NetworkQuiet {
  const { networkBytes: bytes, cpuPercent, ioBytes } = sample;
  const isNetwork = seen?.verdict.kind === 'network';
  if (printed || (bytes !== null && bytes > 0) || (seen !== null && !isNetwork)) return none;
  if (seen === null && bytes === null) return none;
  const wholeMs = before.networkQuietMs + before.networkUnsureMs + countedMs;
  // Where bytes are not counted, only a verdict shows that the tree waits for the network.
  const isConfirmed = bytes === 0 || verdict !== null;
  if (isConfirmed) return { networkQuietMs: wholeMs, networkUnsureMs: 0 };
  if (cpuPercent > 0 || (ioBytes ?? 0) > 0) return { networkQuietMs: 0, networkUnsureMs: wholeMs };
  return {
    networkQuietMs: before.networkQuietMs + countedMs,
    networkUnsureMs: before.networkUnsureMs,
  };
}

import type { Monitor } from '../../run/monitor.js';
import type { Pulse } from '../../run/parts.js';

/** What samples a run in the background. */
export interface BackgroundPulse extends Pulse {
  readonly monitor: Monitor | null;
  /** Its processes on this machine. */
  pids(): number[];
  /** A caller waits for a snapshot of the run. */
  snapshotSoon(): void;
}

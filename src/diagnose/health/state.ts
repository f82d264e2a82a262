import type { Health } from '../../model/run/health.js';
import type { Seen } from './excuse.js';
import type { StuckPart } from './parts.js';
import type { Polling } from './polling.js';
import type { Proof } from './proof.js';
import type { Ticking } from './ticking.js';
import type { Window } from './window.js';

/** Silent past the threshold, idle and without an excuse. */
export interface Stall {
  /** How long it has been reported as likely-stuck. */
  forMs: number;
  /** False at its first tick: a snapshot is taken before anything is reported. */
  called: boolean;
}

/** All that is remembered from tick to tick: plain data of bounded size. */
export interface HealthState {
  health: Health;
  /** Of the last tick. */
  atMs: number;
  /** Time since the last whole sample. */
  pendingMs: number;
  window: Window;
  silentMs: number;
  /** Since the start of the run. Time suspended or stopped is not counted. */
  lastedMs: number;
  /** Time without a byte, as far as that is certain. */
  networkQuietMs: number;
  /** The quiet time before that, if the next snapshot confirms it. */
  networkUnsureMs: number;
  stall: Stall | null;
  seen: Seen | null;
  proof: Proof | null;
  parts: readonly StuckPart[];
  polling: Polling | null;
  ticking: Ticking | null;
}

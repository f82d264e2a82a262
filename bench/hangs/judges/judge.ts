import type { VerdictKind } from '../../../src/model/verdict.js';
import type { Scale } from '../scale.js';

/** What everybody may look at, at one moment of one run. */
export interface Scene {
  /** Since the start. */
  nowMs: number;
  /** Since then nothing was printed. */
  lastOutputMs: number;
  /** The end of what was printed. */
  tail: string;
  /** The command and all below it. */
  pids: number[];
}

/** What a judge claims of a run that it calls stuck; null: it knows no more than that. */
export type Claim = VerdictKind | null;

/** One of the usual ways to tell that a run is stuck. It is made anew for each run. */
export interface Judge {
  /** undefined: all is well. */
  look(scene: Scene): Claim | undefined;
}

export type MakeJudge = (scale: Scale) => Judge;

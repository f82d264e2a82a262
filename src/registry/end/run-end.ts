import { knownValue } from '../../model/facts/reading.js';
import type { RunStatus } from '../../model/run/background.js';
import type { OutputLost } from '../../model/run/output-lost.js';
import type { Exit } from '../../model/run/run.js';
import type { RunDirectory } from '../../store/run-directory.js';
import type { BackgroundLog } from '../output/background-log.js';
import { HeldOutput } from '../output/held-output.js';
import { endWords } from '../words.js';
import type { Ended } from './end-monitor.js';

/** An ended run: how and when it ended, and what is left of it. */
export class RunEnd {
  readonly standing: Ended;
  /** By the wall clock. */
  readonly atMs: number;
  /** null: no lost output is known. */
  readonly outputLost: OutputLost | null;
  readonly #held: HeldOutput | null;

  /** Throws when the remains of the run cannot be read now. */
  constructor(standing: Ended, directory: RunDirectory, log: BackgroundLog) {
    this.standing = standing;
    this.atMs = directory.endedMs(standing.exit);
    this.outputLost = knownValue(directory.outputLost, 'unlogged');
    this.#held = standing.shim === null ? null : new HeldOutput(standing.shim, log);
  }

  get exit(): Exit {
    return this.standing.exit;
  }

  get status(): Exclude<RunStatus, 'running'> {
    return this.exit.provenance === 'unknown' ? 'lost' : 'exited';
  }

  /** A short sentence. */
  get why(): string {
    return endWords(this.exit, this.outputLost);
  }

  /** Another process holds its output open and may print more. */
  get isOutputHeld(): boolean {
    return this.#held?.isHeld === true;
  }

  close(): void {
    this.#held?.close();
  }
}

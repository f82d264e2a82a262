import { knownValue } from '../../model/facts/reading.js';
import type { RunStatus } from '../../model/run/background.js';
import type { OutputLost } from '../../model/run/output-lost.js';
import type { Exit } from '../../model/run/run.js';
import type { RunDirectory } from '../../store/run-directory.js';
import type { BackgroundLog } from '../output/background-log.js';
import { HeldOutput } from '../output/held-output.js';
import { endWords } from '../words.js';
import type { Ended } from './end-watch.js';

/** A run that has ended: how, when, and what is left of it. */
export class RunEnd {
  readonly standing: Ended;
  /** By the wall clock. */
  readonly atMs: number;
  /** null: all it printed is in the log, as far as is known. */
  readonly outputLost: OutputLost | null;
  readonly #held: HeldOutput | null;

  /** Throws when what is left of it cannot be read now. */
  constructor(standing: Ended, directory: RunDirectory, log: BackgroundLog) {
    this.standing = standing;
    this.atMs = directory.endedMs(standing.exit);
    this.outputLost = knownValue(directory.outputLost, 'unlogged');
    this.#held = standing.keeper === null ? null : new HeldOutput(standing.keeper, log);
  }

  get exit(): Exit {
    return this.standing.exit;
  }

  get status(): Exclude<RunStatus, 'running'> {
    return this.exit.provenance === 'unknown' ? 'lost' : 'exited';
  }

  /** One short sentence. */
  get why(): string {
    return endWords(this.exit, this.outputLost);
  }

  /** Somebody holds its output open and may print on. */
  get isOutputHeld(): boolean {
    return this.#held?.isHeld === true;
  }

  close(): void {
    this.#held?.close();
  }
}

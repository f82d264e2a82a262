import type { ProcessIdentity } from '../../model/facts/identity.js';
import { livenessOf } from '../../probe/processes.js';
import type { BackgroundLog } from './background-log.js';

const lookEveryMs = 5000;

/** A process that outlived the command may print more. The log is kept to its limit as long as the shim lives. */
export class HeldOutput {
  readonly #keeper: ProcessIdentity;
  readonly #timer: NodeJS.Timeout;

  constructor(keeper: ProcessIdentity, log: BackgroundLog) {
    this.#keeper = keeper;
    this.#timer = setInterval(() => {
      log.tail.look();
      log.keepToCap();
      if (!this.isHeld) this.close();
    }, lookEveryMs).unref();
  }

  /** True unless the end of the shim is proven. */
  get isHeld(): boolean {
    return livenessOf(this.#keeper) !== 'ended';
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

import type { ProcessIdentity } from '../../model/facts/identity.js';
import { livenessOf } from '../../probe/processes.js';
import type { BackgroundLog } from './background-log.js';

const pollEveryMs = 5000;

/** A process that outlived the command may print more. The log is kept to its limit as long as the shim lives. */
export class HeldOutput {
  readonly #shim: ProcessIdentity;
  readonly #timer: NodeJS.Timeout;

  constructor(shim: ProcessIdentity, log: BackgroundLog) {
    this.#shim = shim;
    this.#timer = setInterval(() => {
      log.tail.catchUp();
      log.keepToCap();
      if (!this.isHeld) this.close();
    }, pollEveryMs).unref();
  }

  /** True unless the end of the shim is proven. */
  get isHeld(): boolean {
    return livenessOf(this.#shim) !== 'ended';
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

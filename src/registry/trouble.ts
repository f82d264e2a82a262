import type { Diagnosis, Health } from '../model/run/health.js';

/** What a run needs from a person or an agent. A trouble from before the last answer is not reported again. */
export class Trouble {
  #answeredMs = 0;
  #diagnosedMs = 0;
  #diagnosis: Diagnosis | null = null;

  /** The run got an answer, so its known health is out of date. */
  answered(): void {
    this.#answeredMs = performance.now();
  }

  /** Called with the present diagnosis at every change. */
  note(diagnosis: Diagnosis | null): void {
    if (diagnosis !== this.#diagnosis) this.#diagnosedMs = performance.now();
    this.#diagnosis = diagnosis;
  }

  /** null: nothing. */
  get kind(): 'needs-input' | 'stuck' | null {
    const diagnosis = this.#diagnosis;
    if (diagnosis === null || this.#diagnosedMs <= this.#answeredMs) return null;
    const { needsAnswer, verdict, health } = diagnosis;
    if (needsAnswer || (isStuck(health) && verdict?.kind === 'needs-input')) return 'needs-input';
    return isStuck(health) ? 'stuck' : null;
  }
}

function isStuck(health: Health): boolean {
  return health === 'likely-stuck' || health === 'confirmed-stuck';
}

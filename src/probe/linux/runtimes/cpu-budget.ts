/** CPU time that one snapshot may spend on something that is worth having, and can be done without. */
export class CpuBudget {
  #leftMs: number;

  constructor(ms: number) {
    this.#leftMs = ms;
  }

  /** Does it and pays for it; null: nothing is left, so it is not done. What is begun is finished. */
  spend<T>(work: () => T): T | null {
    if (this.#leftMs <= 0) return null;
    const before = process.cpuUsage();
    try {
      return work();
    } finally {
      const { user, system } = process.cpuUsage(before);
      this.#leftMs -= (user + system) / 1000;
    }
  }
}

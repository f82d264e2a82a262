/** CPU time that one snapshot may spend on optional facts. */
export class CpuBudget {
  #leftMs: number;

  constructor(ms: number) {
    this.#leftMs = ms;
  }

  /** Runs the work and subtracts its cost; null: nothing is left, so it is not run. Work that has begun is finished. */
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

/** Lets so many in at once; the others wait for their turn. */
export class Gate {
  readonly #max: number;
  readonly #waiting: (() => void)[] = [];
  #inside = 0;

  constructor(max: number) {
    this.#max = max;
  }

  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.#inside >= this.#max) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#inside += 1;
    try {
      return await work();
    } finally {
      // Whoever comes next takes the place over.
      const next = this.#waiting.shift();
      if (next === undefined) this.#inside -= 1;
      else next();
    }
  }
}

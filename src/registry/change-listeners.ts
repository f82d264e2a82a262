/** Whoever wants to know when something may be worth another look. */
export class ChangeListeners {
  readonly #listeners = new Set<() => void>();

  /** Returns how to stop that. */
  add(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  /** One that fails keeps nobody else from hearing of it. */
  tell(): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener();
      } catch (error) {
        setImmediate(() => {
          throw error;
        });
      }
    }
  }

  /** Resolves when it is so, as far as somebody tells, or after the given time. */
  async until(isSo: () => boolean, ms: number): Promise<void> {
    const bound = AbortSignal.timeout(ms);
    let stop = () => {};
    await new Promise<void>((resolve) => {
      const look = () => {
        if (isSo() || bound.aborted) resolve();
      };
      stop = this.add(look);
      bound.addEventListener('abort', look);
      look();
    });
    stop();
  }
}

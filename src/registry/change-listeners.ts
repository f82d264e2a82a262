/** Listeners for a change of state. */
export class ChangeListeners {
  readonly #listeners = new Set<() => void>();

  /** Returns a function that removes the listener. */
  add(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  /** A throwing listener does not keep the others from being called. */
  notify(): void {
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

  /** Resolves when the condition holds, checked at each change, or after the given time. */
  async until(isSo: () => boolean, ms: number): Promise<void> {
    const bound = AbortSignal.timeout(ms);
    let stop = () => {};
    await new Promise<void>((resolve) => {
      const check = () => {
        if (isSo() || bound.aborted) resolve();
      };
      stop = this.add(check);
      bound.addEventListener('abort', check);
      check();
    });
    stop();
  }
}

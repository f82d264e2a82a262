import type { IncomingMessage, ServerResponse } from 'node:http';

/** The requests in progress, and the time of the last one. */
export class Visits {
  readonly #open = new Map<IncomingMessage, AbortController>();
  #lastMs = performance.now();
  #areEnding = false;
  #idle: (() => void) | null = null;

  /** Lasts until the answer is sent or the client disconnects. */
  begin(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const controller = new AbortController();
    this.#open.set(incoming, controller);
    this.#lastMs = performance.now();
    outgoing.once('close', () => {
      this.#open.delete(incoming);
      this.#lastMs = performance.now();
      controller.abort();
      if (this.#open.size === 0) this.#idle?.();
    });
  }

  /** Aborted when the client disconnects or the daemon shuts down. */
  signalOf(incoming: IncomingMessage): AbortSignal {
    return this.#open.get(incoming)?.signal ?? AbortSignal.abort();
  }

  get areEnding(): boolean {
    return this.#areEnding;
  }

  /** Time since the last request. */
  get quietMs(): number {
    return this.#open.size > 0 ? 0 : performance.now() - this.#lastMs;
  }

  /** Long waits end now, so that their clients can ask the next daemon. Other requests may finish. */
  async end(patienceMs: number): Promise<void> {
    this.#areEnding = true;
    for (const controller of this.#open.values()) controller.abort();
    if (this.#open.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#idle = resolve;
      setTimeout(resolve, patienceMs);
    });
  }
}

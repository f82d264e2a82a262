import type { IncomingMessage, ServerResponse } from 'node:http';

/** The requests that are being worked on, and when the last one was. */
export class Visits {
  readonly #open = new Map<IncomingMessage, AbortController>();
  #lastMs = performance.now();
  #areEnding = false;
  #idle: (() => void) | null = null;

  /** From here until its answer is sent, or whoever asked has gone. */
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

  /** Aborted: whoever asked has gone, or we are about to. */
  signalOf(incoming: IncomingMessage): AbortSignal {
    return this.#open.get(incoming)?.signal ?? AbortSignal.abort();
  }

  get areEnding(): boolean {
    return this.#areEnding;
  }

  /** How long nobody has asked anything. */
  get quietMs(): number {
    return this.#open.size > 0 ? 0 : performance.now() - this.#lastMs;
  }

  /** Long waits end now, so that whoever waits can ask our successor; the rest may come to its end. */
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

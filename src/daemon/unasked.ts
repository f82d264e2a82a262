import type { Socket } from 'node:net';

/** So many connections may wait for their client's bytes; beyond it those go that had time enough. */
export interface UnaskedLimits {
  idleMax: number;
  /** Each has this long before it may be let go for others. */
  idleMsMin: number;
  /** So many there are at most, however young. */
  unaskedMax: number;
}

/**
 * Connections on which no request is being worked on: new ones, kept ones, and those whose request is not whole yet. A
 * client that holds many of them must not keep others out: the oldest are let go.
 */
export class Unasked {
  readonly #limits: UnaskedLimits;
  /** Since when; the oldest first. */
  readonly #sinceMs = new Map<Socket, number>();

  constructor(limits: UnaskedLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#sinceMs.size;
  }

  /** It waits for its client from now on. */
  add(socket: Socket): void {
    if (socket.destroyed) return;
    this.#sinceMs.delete(socket);
    this.#sinceMs.set(socket, performance.now());
    this.trim();
  }

  /** All of its request is here, or it is gone. */
  remove(socket: Socket): void {
    this.#sinceMs.delete(socket);
  }

  /** Lets go of what is too much; to be called now and then. */
  trim(): void {
    const { idleMax, idleMsMin, unaskedMax } = this.#limits;
    const nowMs = performance.now();
    for (const [socket, sinceMs] of this.#sinceMs) {
      const isTooMuch = this.size > unaskedMax || (this.size > idleMax && nowMs - sinceMs >= idleMsMin);
      if (!isTooMuch) return;
      this.#sinceMs.delete(socket);
      socket.destroy();
    }
  }
}

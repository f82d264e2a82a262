import type { Socket } from 'node:net';

/** Limits for connections that wait for bytes from their client. */
export interface UnaskedLimits {
  idleMax: number;
  /** A connection is kept at least this long, up to `unaskedMax`. */
  idleMsMin: number;
  /** Hard limit, whatever their age. */
  unaskedMax: number;
}

/**
 * Connections without a request in progress: new, kept alive, or with an incomplete request. A client that holds many
 * must not keep others out: the oldest are closed.
 */
export class Unasked {
  readonly #limits: UnaskedLimits;
  /** Waiting since, oldest first. */
  readonly #sinceMs = new Map<Socket, number>();

  constructor(limits: UnaskedLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#sinceMs.size;
  }

  /** The connection waits for its client from now on. */
  add(socket: Socket): void {
    if (socket.destroyed) return;
    this.#sinceMs.delete(socket);
    this.#sinceMs.set(socket, performance.now());
    this.trim();
  }

  /** Its request is complete, or it is closed. */
  remove(socket: Socket): void {
    this.#sinceMs.delete(socket);
  }

  /** Closes excess connections; called periodically. */
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

import type { Socket } from 'node:net';

/** More of their connections are closed at once, so that some are left for the user. */
const strangersMax = 16;
/** For the question and its refusal. */
const stayMs = 5000;

/** Connections of other users of this machine. */
export class Strangers {
  readonly #sockets = new Set<Socket>();

  add(socket: Socket): void {
    if (this.#sockets.size >= strangersMax) {
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    const late = setTimeout(() => socket.destroy(), stayMs);
    socket.once('close', () => {
      clearTimeout(late);
      this.#sockets.delete(socket);
    });
  }

  has(socket: Socket): boolean {
    return this.#sockets.has(socket);
  }
}

import type { Socket } from 'node:net';
import { Failure } from '../model/failure.js';
import { loadLibc } from '../probe/machine.js';

const solSocket = 1;
const soPeercred = 17;
/** struct ucred: pid, uid, gid. */
const ucredBytes = 12;
const uidOffset = 4;

/** null: the kernel does not report it; then only the mode of the socket keeps others out. */
function peerUid(socket: Socket): number | null {
  const fd = (socket as Socket & { _handle?: { fd?: number } | null })._handle?.fd;
  const libc = loadLibc();
  if (fd === undefined || fd < 0 || libc === null) return null;
  const credentials = Buffer.alloc(ucredBytes);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(ucredBytes);
  if (libc.getsockopt(fd, solSocket, soPeercred, credentials, length) !== 0) return null;
  return credentials.readUInt32LE(uidOffset);
}

/** Other users are refused, root included: commands run as the user of the daemon. */
export function strangerAt(socket: Socket): Failure | null {
  const uid = peerUid(socket);
  if (uid === null || uid === process.getuid?.()) return null;
  return new Failure(
    'not-yours',
    `this daemon serves uid ${process.getuid?.()} only, not uid ${uid}`,
    'run the command as that user, or set UNSTUCK_HOME to a directory of your own',
  );
}

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

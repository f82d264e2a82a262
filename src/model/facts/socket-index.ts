import type { FdFacts } from './snapshot.js';
import type { SocketFacts, SocketFamily } from './sockets.js';

/** A listener on this address, or on all addresses with its port, accepts a connection to it. */
function acceptingAddresses(address: string): string[] {
  const port = address.slice(address.lastIndexOf(':'));
  return [address, `0.0.0.0${port}`, `[::]${port}`];
}

/** A unix socket with a path is found through the file system, from every network namespace. */
function listenerKey(space: string, family: SocketFamily, address: string): string {
  return family === 'unix' && address.startsWith('/') ? `unix ${address}` : `${space} ${family} ${address}`;
}

/** Finds a socket by its addresses. Addresses of two network namespaces are never compared. */
export class SocketIndex {
  readonly #byInode = new Map<number, SocketFacts>();
  readonly #byAddresses = new Map<string, SocketFacts>();
  readonly #listeners = new Map<string, SocketFacts>();

  constructor(sockets: Iterable<SocketFacts> = []) {
    for (const socket of sockets) this.add(socket);
  }

  add(socket: SocketFacts): void {
    const { inode, space, family, local, remote } = socket;
    // A connection that was not accepted yet has no inode.
    if (inode !== 0) this.#byInode.set(inode, socket);
    if (family === 'tcp') this.#byAddresses.set(`${space} ${local} ${remote}`, socket);
    if (socket.state !== 'LISTEN') return;
    const key = listenerKey(space, family, local);
    if (!this.#listeners.has(key)) this.#listeners.set(key, socket);
  }

  byInode(inode: number): SocketFacts | undefined {
    return this.#byInode.get(inode);
  }

  of({ kind, object }: FdFacts): SocketFacts | undefined {
    return kind === 'socket' ? this.#byInode.get(Number(object.slice('socket:'.length))) : undefined;
  }

  /** The other end of a TCP connection on this machine: both addresses exchanged. */
  reverse({ space, local, remote }: SocketFacts): SocketFacts | undefined {
    return this.#byAddresses.get(`${space} ${remote} ${local}`);
  }

  /** The listening socket that would accept this TCP connection. */
  listenerFor({ space, remote }: SocketFacts): SocketFacts | undefined {
    return this.#tcpListener(space, remote);
  }

  unixListener(space: string, path: string): SocketFacts | undefined {
    return this.#listeners.get(listenerKey(space, 'unix', path));
  }

  /** Whether a listener has the local address of this connection: it is the server's end. */
  isAccepted({ family, state, space, local }: SocketFacts): boolean {
    if (state !== 'ESTABLISHED' || local === '') return false;
    if (family === 'unix') return this.unixListener(space, local) !== undefined;
    return family === 'tcp' && this.#tcpListener(space, local) !== undefined;
  }

  #tcpListener(space: string, address: string): SocketFacts | undefined {
    for (const candidate of acceptingAddresses(address)) {
      const listener = this.#listeners.get(listenerKey(space, 'tcp', candidate));
      if (listener !== undefined) return listener;
    }
    return undefined;
  }
}

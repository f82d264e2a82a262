import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

interface Attempt {
  /** null: the attempt is over. */
  sockets: Socket[] | null;
}

const attempts = new AsyncLocalStorage<Attempt>();
let isSubscribed = false;

/**
 * Closes the sockets of an attempt to connect that fails. The NATS library leaves the one of a server open that accepts
 * a connection and then is silent: the process would not end.
 */
export async function closingSockets<T>(connect: () => Promise<T>): Promise<T> {
  if (!isSubscribed) subscribe('net.client.socket', noteSocket);
  isSubscribed = true;
  const attempt: Attempt = { sockets: [] };
  try {
    return await attempts.run(attempt, connect);
  } catch (error) {
    for (const socket of attempt.sockets ?? []) socket.destroy();
    throw error;
  } finally {
    attempt.sockets = null;
  }
}

function noteSocket(message: unknown): void {
  attempts.getStore()?.sockets?.push((message as { socket: Socket }).socket);
}

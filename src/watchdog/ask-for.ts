import { setTimeout as delay } from 'node:timers/promises';

/** The caller's own way to end something: closes a transport, sends a message, calls `kill`. */
export type Ask = () => unknown;

/** Takes no longer than the grace, whatever the caller's function does. Never rejects: resolves with the error. */
export async function askFor(ask: Ask, graceMs: number): Promise<Error | null> {
  const off = new AbortController();
  const patience = delay(graceMs, null, { signal: off.signal }).catch(() => null);
  const asking = (async () => {
    await ask();
    return null;
  })().catch((cause: unknown) => (cause instanceof Error ? cause : new Error(String(cause))));
  try {
    return await Promise.race([asking, patience]);
  } finally {
    off.abort();
  }
}

type Act = () => void;

/** Callbacks for the signal of a caller. */
const acts = new WeakMap<AbortSignal, Set<Act>>();

/**
 * Calls `act` once when the signal aborts, or now if it has; returns a function that cancels this. All callbacks share
 * one listener per signal: with more than ten listeners Node prints a warning.
 */
export function onAbort(signal: AbortSignal | undefined, act: Act): () => void {
  if (signal === undefined) return () => {};
  if (signal.aborted) {
    act();
    return () => {};
  }
  const waiting = acts.get(signal) ?? listen(signal);
  // The same function may be added twice.
  const once = () => act();
  waiting.add(once);
  return () => waiting.delete(once);
}

function listen(signal: AbortSignal): Set<Act> {
  const waiting = new Set<Act>();
  acts.set(signal, waiting);
  const run = () => {
    acts.delete(signal);
    for (const act of [...waiting]) act();
  };
  signal.addEventListener('abort', run, { once: true });
  return waiting;
}

/** Calls `work` with a signal of its own that follows that of the caller, for code that adds listeners. */
export async function withOwnSignal<T>(
  signal: AbortSignal | undefined,
  work: (own: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  const release = onAbort(signal, () => own.abort(signal?.reason));
  try {
    return await work(own.signal);
  } finally {
    release();
  }
}

type Act = () => void;

/** What is to be done when a signal of a caller aborts. */
const acts = new WeakMap<AbortSignal, Set<Act>>();

/**
 * Calls back once when a signal aborts, or now if it has; returns how to call that off. However many wait for one signal,
 * it has one listener of ours: from eleven on Node prints a warning to the stderr of a program that did nothing wrong.
 */
export function onAbort(signal: AbortSignal | undefined, act: Act): () => void {
  if (signal === undefined) return () => {};
  if (signal.aborted) {
    act();
    return () => {};
  }
  const waiting = acts.get(signal) ?? listen(signal);
  // An act may be given twice.
  const once = () => act();
  waiting.add(once);
  return () => waiting.delete(once);
}

function listen(signal: AbortSignal): Set<Act> {
  const waiting = new Set<Act>();
  acts.set(signal, waiting);
  const tell = () => {
    acts.delete(signal);
    for (const act of [...waiting]) act();
  };
  signal.addEventListener('abort', tell, { once: true });
  return waiting;
}

/** Works with a signal of its own that follows that of a caller, for whatever adds listeners to it. */
export async function withOwnSignal<T>(
  signal: AbortSignal | undefined,
  work: (own: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  const letGo = onAbort(signal, () => own.abort(signal?.reason));
  try {
    return await work(own.signal);
  } finally {
    letGo();
  }
}

import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

export interface Answer<T> {
  value: T | null;
  error: unknown;
  isAsking: boolean;
  again(): void;
}

/**
 * Asks when it is first shown, when a dependency changes, and when told to. The last answer stays meanwhile. `beat`: asks again
 * when it changes, unless an answer is on its way: on a busy machine that may take longer than a beat.
 */
export function useAnswer<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  dependencies: readonly unknown[],
  beat: unknown = null,
): Answer<T> {
  const [state, setState] = useState<Omit<Answer<T>, 'again'>>({ value: null, error: null, isAsking: true });
  const [round, setRound] = useState(0);
  const newest = useRef(ask);
  newest.current = ask;
  const isOnItsWay = useRef(false);
  useEffect(() => {
    const stop = new AbortController();
    isOnItsWay.current = true;
    setState((before) => ({ ...before, isAsking: true }));
    const take = (answer: Pick<Answer<T>, 'error'> & Partial<Pick<Answer<T>, 'value'>>) => {
      if (stop.signal.aborted) return;
      isOnItsWay.current = false;
      setState((before) => ({ ...before, ...answer, isAsking: false }));
    };
    newest.current(stop.signal).then(
      (value) => take({ value, error: null }),
      (error) => take({ error }),
    );
    return () => stop.abort();
  }, [round, ...dependencies]);
  useEffect(() => {
    if (!isOnItsWay.current) setRound((n) => n + 1);
  }, [beat]);
  const again = useCallback(() => setRound((n) => n + 1), []);
  return { ...state, again };
}

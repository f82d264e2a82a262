import { useEffect, useState } from 'preact/hooks';
import { call } from '../api.js';

interface Found {
  number: number;
  text: string;
}

const perCall = 200;
const foundMax = 2000;
const waitMs = 250;

/** Searches a log from its beginning, and tells what was found so far. */
async function searchLog(
  id: string,
  text: string,
  told: (found: readonly Found[], isDone: boolean) => void,
  signal: AbortSignal,
): Promise<void> {
  const found: Found[] = [];
  let offset: number | undefined = 0;
  while (offset !== undefined && found.length < foundMax) {
    const answer: { lines: string[]; numbers?: number[]; nextOffset?: number } = await call(
      'log',
      { id, search: text, offset, limit: perCall, plain: true },
      signal,
    );
    for (const [index, line] of answer.lines.entries())
      found.push({ number: answer.numbers?.[index] ?? 0, text: line });
    offset = answer.nextOffset;
    told([...found], offset === undefined || found.length >= foundMax);
  }
}

/** What is searched for in a log, and what was found. */
export function useSearch(id: string) {
  const [text, setText] = useState('');
  const [state, setState] = useState<{ found: readonly Found[]; isDone: boolean; error: string }>({
    found: [],
    isDone: true,
    error: '',
  });
  useEffect(() => {
    const stop = new AbortController();
    setState({ found: [], isDone: text === '', error: '' });
    if (text === '') return;
    const timer = setTimeout(() => {
      searchLog(
        id,
        text,
        (found, isDone) => !stop.signal.aborted && setState({ found, isDone, error: '' }),
        stop.signal,
      ).catch(
        (error: Error) => !stop.signal.aborted && setState({ found: [], isDone: true, error: error.message }),
      );
    }, waitMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [id, text]);
  const { found, isDone, error } = state;
  const step = (direction: number, from: number | null): Found | null => {
    if (found.length === 0) return null;
    if (direction > 0) return found.find(({ number }) => number > (from ?? -1)) ?? found[0] ?? null;
    return (
      found.findLast(({ number }) => number < (from ?? Number.POSITIVE_INFINITY)) ?? found.at(-1) ?? null
    );
  };
  const count = countOf(found.length);
  return { text, setText, found, step, words: error || (isDone ? `${count} found` : `${count} so far …`) };
}

export const countOf = (lines: number) => `${lines.toLocaleString('en')} ${lines === 1 ? 'line' : 'lines'}`;

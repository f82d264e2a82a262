import { useCallback, useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import { Failed } from '../parts/basics.js';
import { Line } from './log-line.js';
import { LogPages } from './log-pages.js';
import { countOf, useSearch } from './log-search.js';

const linePx = 18;
/** Browsers draw no element that is much higher. A longer log is scrolled in proportion. */
const heightMax = 6_000_000;

export interface LogProps {
  id: string;
  /** Grows while the run prints. */
  outputBytes: number;
  /** Show the line that has this byte; `nth` tells two such wishes apart. */
  wish: { byte: number; nth: number } | null;
}

/** The output of a run: any length, in colours, searchable. */
export function Log({ id, outputBytes, wish }: LogProps) {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const pages = useMemo(() => new LogPages(id, () => redraw(undefined as never)), [id]);
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [isAtEnd, setAtEnd] = useState(true);
  const [marked, setMarked] = useState<number | null>(null);
  const [rows, setRows] = useState(30);
  const search = useSearch(id);
  const own = useRef(-1);
  /** Dropped lines are not scrolled through. */
  const lowest = pages.dropped;
  const scrollsInProportion = (pages.total - lowest) * linePx > heightMax;
  const highest = Math.max(lowest, pages.total - rows + 1);

  useEffect(() => {
    void pages.refresh();
  }, [pages, outputBytes]);
  useEffect(() => () => pages.close(), [pages]);

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setRows(Math.max(3, Math.ceil(element.clientHeight / linePx))));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  /** Shows this line at the top. */
  const show = useCallback(
    (line: number) => {
      const next = Math.min(Math.max(lowest, line), highest);
      setTop(next);
      setAtEnd(next >= highest);
      const element = box.current;
      if (element === null) return;
      const room = element.scrollHeight - element.clientHeight;
      const share = highest === lowest ? 0 : (next - lowest) / (highest - lowest);
      const to = scrollsInProportion ? share * room : (next - lowest) * linePx;
      own.current = Math.round(to);
      element.scrollTop = to;
    },
    [lowest, highest, scrollsInProportion],
  );

  useLayoutEffect(() => {
    if (isAtEnd) show(highest);
    else if (top < lowest) show(lowest);
  }, [lowest, highest, isAtEnd]);

  const jump = useCallback(
    (line: number) => {
      setMarked(line);
      setAtEnd(false);
      show(line - Math.floor(rows / 3));
    },
    [show, rows],
  );

  const nth = wish?.nth;
  useEffect(() => {
    if (wish === null) return;
    pages.lineAt(wish.byte).then(jump, () => {});
  }, [nth]);

  const scrolled = () => {
    const element = box.current;
    if (element === null || Math.abs(element.scrollTop - own.current) < 2) return;
    own.current = -1;
    const room = element.scrollHeight - element.clientHeight;
    const share = room <= 0 ? 1 : element.scrollTop / room;
    const lines = scrollsInProportion ? share * (highest - lowest) : Math.floor(element.scrollTop / linePx);
    setTop(lowest + Math.round(lines));
    setAtEnd(room - element.scrollTop < 4);
  };

  const wheeled = (event: WheelEvent) => {
    if (!scrollsInProportion || event.ctrlKey) return;
    event.preventDefault();
    const lines = event.deltaMode === 1 ? event.deltaY : event.deltaY / linePx;
    show(top + Math.sign(lines) * Math.max(1, Math.round(Math.abs(lines))));
  };

  const pressed = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: rows - 2, PageUp: 2 - rows };
    const step = steps[event.key];
    if (step !== undefined) show(top + step);
    else if (event.key === 'Home') show(lowest);
    else if (event.key === 'End') show(highest);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const numbers = Array.from(
    { length: Math.min(rows + 1, Math.max(0, pages.total - top)) },
    (_, index) => top + index,
  );
  const heightPx = Math.min((pages.total - lowest) * linePx, heightMax);
  const next = (step: number) => {
    const hit = search.step(step, marked);
    if (hit !== null) jump(hit.number);
  };
  return (
    <section class="log" aria-label="Output">
      <div class="tools">
        <input
          type="search"
          placeholder="Search output"
          aria-label="Search output"
          class="log-search"
          value={search.text}
          onInput={(event) => search.setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') next(event.shiftKey ? -1 : 1);
            if (event.key === 'Escape') event.currentTarget.blur();
          }}
        />
        <span class="muted small" role="status">
          {search.text !== ''
            ? search.words
            : `${countOf(pages.total)}${pages.isCounted ? '' : ' or more, counting'}`}
        </span>
        {search.found.length > 0 && (
          <>
            <button type="button" onClick={() => next(-1)} aria-label="Previous match">
              ↑
            </button>
            <button type="button" onClick={() => next(1)} aria-label="Next match">
              ↓
            </button>
          </>
        )}
        <button
          type="button"
          class="end"
          aria-pressed={isAtEnd}
          onClick={() => {
            setMarked(null);
            setAtEnd(true);
            show(highest);
          }}
        >
          Follow
        </button>
      </div>
      {pages.error !== null && <Failed error={pages.error} />}
      {pages.dropped > 0 && (
        <p class="muted small">
          The first {pages.dropped.toLocaleString()} lines were dropped for the limit of the log.
        </p>
      )}
      <div
        class="lines"
        ref={box}
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label="Lines of output"
        onScroll={scrolled}
        onWheel={wheeled}
        onKeyDown={pressed}
      >
        <div style={{ height: `${heightPx}px` }}>
          <div
            class="page"
            style={{ transform: `translateY(${offsetOf(box.current, scrollsInProportion, top - lowest)}px)` }}
          >
            {numbers.map((number) => (
              <Line
                key={number}
                number={number}
                raw={pages.line(number)}
                isMarked={number === marked}
                search={search.text}
              />
            ))}
          </div>
        </div>
        {pages.total === 0 && pages.isCounted && <p class="empty">Nothing was printed yet.</p>}
      </div>
    </section>
  );
}

/** Where the drawn lines are inside of what scrolls. */
function offsetOf(element: HTMLElement | null, inProportion: boolean, above: number): number {
  if (!inProportion) return above * linePx;
  if (element === null) return 0;
  return Math.min(element.scrollTop, Math.max(0, element.scrollHeight - element.clientHeight - linePx));
}

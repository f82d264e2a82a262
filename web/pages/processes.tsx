import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatDuration } from '../../src/text/duration.js';
import { ask } from '../api.js';
import { Empty, Failed } from '../parts/basics.js';
import { useKeys } from '../parts/keys.js';
import { useAnswer } from '../parts/use-answer.js';
import { useVirtual } from '../parts/virtual.js';
import { go, hrefOf } from '../route.js';
import { EvidenceView } from '../run/evidence.js';
import { WaitGraphView } from '../run/graph.js';
import { shown } from '../words.js';

/** Any process of the machine, and what it waits for. */
export function Processes({ pid }: { pid: string }) {
  const list = useAnswer((signal) => ask('processes', {}, signal), []);
  const [search, setSearch] = useState('');
  const [isOwn, setOwn] = useState(true);
  const field = useRef<HTMLInputElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  useKeys({ '/': () => field.current?.focus() });
  const found = useMemo(() => {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    const { processes = [], uid = -1 } = list.value ?? {};
    return processes
      .filter(
        (one) =>
          (!isOwn || one.uid === uid) &&
          words.every((word) => `${one.pid} ${one.command}`.toLowerCase().includes(word)),
      )
      .sort((a, b) => a.ageMs - b.ageMs);
  }, [list.value, search, isOwn]);
  const { items, totalPx } = useVirtual({ count: found.length, rowPx: 32, scroller });
  return (
    <div class="processes">
      <h1>Processes</h1>
      <div class="tools">
        <input
          ref={field}
          type="search"
          placeholder="Search by command or pid  /"
          aria-label="Search processes"
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
          onKeyDown={(event) =>
            event.key === 'Enter' && found[0] !== undefined && go('processes', String(found[0].pid))
          }
        />
        <label class="check">
          <input type="checkbox" checked={isOwn} onChange={(event) => setOwn(event.currentTarget.checked)} />{' '}
          only mine
        </label>
        <button type="button" onClick={list.again}>
          Read again
        </button>
        <span class="muted small">
          {list.value === null ? '' : `${found.length} process${found.length === 1 ? '' : 'es'}`}
        </span>
      </div>
      {list.error !== null && <Failed error={list.error} />}
      <div class={`split${pid === '' ? ' alone' : ''}`}>
        <div class="scroller list" ref={scroller} tabIndex={0} role="list" aria-label="Processes">
          {list.value === null && list.isAsking && <Empty>Reading …</Empty>}
          {list.value !== null && found.length === 0 && <Empty>No process has these words.</Empty>}
          <div style={{ height: `${totalPx}px`, position: 'relative' }} role="presentation">
            {items.map(({ index, start }) => {
              const one = found[index];
              return one === undefined ? null : (
                <div
                  key={one.pid}
                  role="listitem"
                  class="item"
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <a
                    href={hrefOf('processes', String(one.pid))}
                    aria-current={String(one.pid) === pid ? 'true' : undefined}
                  >
                    <b class="mono">{one.pid}</b>
                    <span class="mono command">{shown(one.command)}</span>
                    <small class="muted">{formatDuration(one.ageMs)}</small>
                  </a>
                </div>
              );
            })}
          </div>
        </div>
        {pid !== '' && <Why key={pid} pid={Number(pid)} />}
      </div>
    </div>
  );
}

function Why({ pid }: { pid: number }) {
  const [nth, setNth] = useState(0);
  const { value, error, isAsking } = useAnswer((signal) => ask('why', { pid }, signal), [pid, nth]);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <section class="panel" aria-label={`Why ${pid}`}>
      <h2 ref={heading}>
        Why {pid}
        <button type="button" class="quiet" onClick={() => setNth((n) => n + 1)} aria-label="Read again">
          ↻
        </button>
      </h2>
      {error !== null && <Failed error={error} />}
      {value === null ? (
        isAsking && <Empty>Reading …</Empty>
      ) : (
        <div class="body">
          <p class="mono command">{shown(value.target.command)}</p>
          <p class="sentence">
            {value.verdict.kind}, {value.verdict.certainty}: {shown(value.verdict.reason)}
          </p>
          <WaitGraphView answer={value} />
          <EvidenceView answer={value} />
        </div>
      )}
    </section>
  );
}

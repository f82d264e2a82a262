import { signal, useComputed } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ListedRun } from '../../src/model/operations/outputs.js';
import { matchesRun } from '../../src/model/run/match-run.js';
import { formatDuration } from '../../src/text/duration.js';
import { formatBytes } from '../../src/text/format-bytes.js';
import { Empty, RunBadge, Spark } from '../parts/basics.js';
import { useKeys } from '../parts/keys.js';
import { useVirtual } from '../parts/virtual.js';
import { go, hrefOf } from '../route.js';
import { sparks, wantSpark } from '../sparks.js';
import { nowMs, runs } from '../state.js';
import { elapsed, inOrder, isTrouble, shortId, shown } from '../words.js';
import { Troubles } from './troubles.js';

const filters = {
  all: { title: 'All', has: () => true },
  trouble: { title: 'Trouble', has: isTrouble },
  running: { title: 'Running', has: (run: ListedRun) => run.status === 'running' },
  failed: { title: 'Failed', has: (run: ListedRun) => run.status !== 'running' && run.exit?.code !== 0 },
  done: { title: 'Done', has: (run: ListedRun) => run.status === 'exited' && run.exit?.code === 0 },
} as const;
type Filter = keyof typeof filters;
const filterNames = Object.keys(filters) as Filter[];

/** They stay while another page is shown. */
const filter = signal<Filter>('all');
const search = signal('');
const chosen = signal<string | null>(null);

const rowPx = 44;
const troublesMax = 3;

export function Overview() {
  const field = useRef<HTMLInputElement>(null);
  const listed = useComputed(() => {
    const all = inOrder(runs.value?.values() ?? []);
    return all.filter((run) => filters[filter.value].has(run) && matchesRun(run, search.value));
  });
  const move = (step: number) => {
    const list = listed.value;
    const at = list.findIndex(({ id }) => id === chosen.value);
    chosen.value = list[Math.min(list.length - 1, Math.max(0, at + step))]?.id ?? null;
  };
  const nextFilter = () => {
    filter.value = filterNames[(filterNames.indexOf(filter.value) + 1) % filterNames.length] ?? 'all';
  };
  const open = () => chosen.value !== null && go('run', chosen.value);
  useKeys({
    '/': () => field.current?.focus(),
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: (event) => (event.target instanceof HTMLAnchorElement ? event.target.click() : open()),
    f: nextFilter,
  });
  const all = runs.value;
  if (all === null) return <Empty>Reading the runs …</Empty>;
  const counts = [...all.values()];
  return (
    <div class="overview">
      <h1 class="unseen">Runs</h1>
      <div class="tools">
        <div class="segments" role="group" aria-label="Filter">
          {filterNames.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={filter.value === name}
              onClick={() => {
                filter.value = name;
              }}
            >
              {filters[name].title} <small>{counts.filter(filters[name].has).length}</small>
            </button>
          ))}
        </div>
        <input
          ref={field}
          type="search"
          placeholder="Search runs  /"
          aria-label="Search runs"
          value={search.value}
          onInput={(event) => {
            search.value = event.currentTarget.value;
          }}
          onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
        />
      </div>
      {counts.length === 0 ? (
        <Empty>
          No runs yet. Start one in a terminal: <code>unstuck start -- npm run dev</code>
        </Empty>
      ) : (
        <>
          <Troubles list={listed.value.filter(isTrouble).slice(0, troublesMax)} chosen={chosen.value} />
          {listed.value.length === 0 && <Empty>No run fits.</Empty>}
          <Table list={listed.value.filter((run, index) => !isTrouble(run) || index >= troublesMax)} />
        </>
      )}
    </div>
  );
}

function Table({ list }: { list: readonly ListedRun[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const { items, totalPx, virtual } = useVirtual({ count: list.length, rowPx, scroller });
  const at = list.findIndex(({ id }) => id === chosen.value);
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at, { align: 'auto' });
  }, [at, virtual]);
  if (list.length === 0) return null;
  return (
    <div class="table" role="table" aria-label="All runs" aria-rowcount={list.length + 1}>
      <div class="row titles" role="row">
        {['State', 'Run', 'What it does', 'Time', 'CPU', 'Memory', 'Last line'].map((title) => (
          <span key={title} role="columnheader">
            {title}
          </span>
        ))}
      </div>
      <div class="scroller" ref={scroller} role="rowgroup" tabIndex={0} aria-label="Runs">
        <div style={{ height: `${totalPx}px`, position: 'relative' }} role="presentation">
          {items.map(({ index, start }) => {
            const run = list[index];
            return run === undefined ? null : (
              <Row key={run.id} run={run} top={start} index={index} isChosen={run.id === chosen.value} />
            );
          })}
        </div>
      </div>
    </div>
  );
}

function Row({
  run,
  top,
  index,
  isChosen,
}: {
  run: ListedRun;
  top: number;
  index: number;
  isChosen: boolean;
}) {
  useEffect(() => wantSpark(run.id), [run.id]);
  const spark = sparks.value.get(run.id);
  const isLive = run.status === 'running';
  const ms = isLive ? nowMs.value - Date.parse(run.startedAt) : run.uptimeS * 1000;
  const usual = run.estimate?.usualMs ?? null;
  return (
    <div
      class={`row${isChosen ? ' chosen' : ''}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isChosen}
      style={{ transform: `translateY(${top}px)` }}
    >
      <span role="cell">
        <RunBadge run={run} />
      </span>
      <span role="cell" class="two">
        <a href={hrefOf('run', run.id)} title={shown(run.command)}>
          {shown(run.label)}
        </a>
        <small class="muted mono">{shortId(run.id)}</small>
        <small class="muted brief">{shown(run.why)}</small>
      </span>
      <span role="cell" class="why" title={shown(run.why)}>
        {run.progress !== null && isLive && <b class="progress">{shown(run.progress)}</b>}
        {shown(run.why)}
      </span>
      <span role="cell" class="two mono">
        <span>{elapsed(ms)}</span>
        <small class="muted">{usual !== null && isLive ? `usually ${formatDuration(usual)}` : ''}</small>
      </span>
      <span role="cell" class="meter">
        <Spark values={spark?.cpu ?? []} most={100} label={`CPU of ${shown(run.label)}`} />
        <small class="mono">{isLive ? `${Math.round(run.cpuPercent)} %` : ''}</small>
      </span>
      <span role="cell" class="meter">
        <Spark values={spark?.memory ?? []} most={0} label={`Memory of ${shown(run.label)}`} />
        <small class="mono">{isLive ? formatBytes(run.residentBytes) : ''}</small>
      </span>
      <span role="cell" class="last mono" title={shown(run.lastLine)}>
        {shown(run.lastLine)}
      </span>
    </div>
  );
}

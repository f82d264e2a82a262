import { useEffect, useState } from 'preact/hooks';
import type { ListedRun } from '../../src/model/operations/outputs.js';
import { ask, call } from '../api.js';
import { newestWords } from '../newest-words.js';
import { nextWords } from '../next-words.js';
import { Empty } from '../parts/basics.js';
import { useKeys } from '../parts/keys.js';
import { useAnswer } from '../parts/use-answer.js';
import { go, hrefOf, nextAct } from '../route.js';
import { placeOf } from '../run-place.js';
import { isReadOnly, nowMs, runs } from '../state.js';
import { lookOf, shown } from '../words.js';
import { AnswerBox, type Part, StopDialog } from './acts.js';
import { Details, type Tab } from './details.js';
import { Log } from './log.js';
import { RunHead } from './run-head.js';
import { TerminalDialog } from './terminal.js';
import { Timeline } from './timeline.js';

export function RunPage({ id }: { id: string }) {
  const run = runs.value?.get(id);
  useKeys({ u: () => go('runs'), Escape: () => go('runs') });
  if (runs.value === null) return <Empty>Reading the run …</Empty>;
  return run === undefined ? <NotFound id={id} /> : <Shown run={run} />;
}

/** An id may have been typed: the beginning of one is enough, and `HOST/ID` is a run of a host of the fleet. */
function NotFound({ id }: { id: string }) {
  const place = placeOf(id, runs.value?.keys() ?? []);
  useEffect(() => {
    if (place !== null) location.replace(hrefOf(place.page, place.id));
  }, [place]);
  if (place !== null) return <Empty>Reading the run …</Empty>;
  return (
    <>
      <h1>There is no run {shown(id)}</h1>
      <Empty>
        Ended runs are kept for a while only. <a href={hrefOf('runs')}>All runs</a>
      </Empty>
    </>
  );
}

/** While a run goes on, its graph is read again this often. */
const whyEveryMs = 10_000;
const samplesEveryMs = 5000;

function Shown({ run }: { run: ListedRun }) {
  const { id } = run;
  const isLive = run.status === 'running';
  const [tab, setTab] = useState<Tab>(isLive ? 'graph' : 'report');
  const [open, setOpen] = useState<'stop' | 'terminal' | null>(null);
  const [part, setPart] = useState<Part | null>(null);
  const [wish, setWish] = useState<{ byte: number; nth: number } | null>(null);
  const beat = Math.floor(nowMs.value / samplesEveryMs);
  const look = lookOf(run).word;
  const samples = useAnswer(
    (signal) => call('samples', { ids: [id] }, signal),
    [id, run.status],
    isLive && beat,
  );
  const story = useAnswer((signal) => ask('story', { id }, signal), [id, look, run.health, run.status]);
  const live = useAnswer(
    (signal) => (isLive ? ask('why', { id }, signal) : Promise.resolve(null)),
    [id, look, isLive],
    isLive && Math.floor(nowMs.value / whyEveryMs),
  );
  const mayAct = !isReadOnly.value;
  const mayType = mayAct && isLive && run.input !== 'none';

  useEffect(() => {
    const wanted = nextAct.value;
    nextAct.value = null;
    if (wanted === 'stop') setOpen('stop');
    if (wanted === 'answer') setTimeout(() => document.getElementById('answer')?.focus(), 50);
  }, []);
  useEffect(() => {
    if (!isLive) setTab((before) => (before === 'graph' ? 'report' : before));
  }, [isLive]);
  useKeys({
    g: () => setTab('graph'),
    e: () => setTab('evidence'),
    l: () => document.querySelector<HTMLElement>('.lines')?.focus(),
    '/': () => document.querySelector<HTMLElement>('.log-search')?.focus(),
    t: () => mayType && setOpen('terminal'),
    a: () => document.getElementById('answer')?.focus(),
    x: () => mayAct && isLive && setOpen('stop'),
  });

  const columns = samples.value?.runs[0];
  const startMs = Date.parse(run.startedAt);
  const endMs = isLive ? nowMs.value : startMs + run.uptimeS * 1000;
  const pick = (atMs: number) => {
    if (columns === undefined) return;
    const at = columns.atMs.findIndex((one) => one >= atMs);
    const byte = at <= 0 ? 0 : (columns.outputBytes[at - 1] ?? 0);
    setWish((before) => ({ byte, nth: (before?.nth ?? 0) + 1 }));
    document.querySelector('.log')?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <div class="run">
      <RunHead
        run={run}
        endMs={endMs}
        may={{ stop: mayAct && isLive, type: mayType, again: mayAct }}
        back="runs"
        onOpen={setOpen}
      />
      <section class={`verdict ${lookOf(run).tone}`} aria-label="State">
        <p class="sentence">
          {shown(live.value === null ? run.why : newestWords(run.why, live.value.verdict.reason))}
        </p>
        {run.recommendation !== undefined && (
          <p class="todo">Next: {shown(nextWords(run.recommendation, { stop: mayAct, answer: mayType }))}</p>
        )}
        {mayType && (run.needsInput || run.input !== 'none') && (
          <AnswerBox run={run} prompt={run.needsInput ? run.lastLine : ''} onDone={live.again} />
        )}
      </section>
      <div class="split">
        <Details
          run={run}
          tab={tab}
          onTab={setTab}
          live={live}
          story={story.value}
          onStopPart={(chosen) => {
            setPart(chosen);
            setOpen('stop');
          }}
        />
        <Log id={id} outputBytes={run.outputBytes} wish={wish} />
      </div>
      <Timeline
        columns={
          columns ?? { atMs: [], forMs: [], cpuPercent: [], residentBytes: [], ioBytes: [], outputBytes: [] }
        }
        events={story.value?.events ?? []}
        startMs={startMs}
        endMs={endMs}
        isLive={isLive}
        asks={run.needsInput}
        onPick={pick}
      />
      {open === 'stop' && (
        <StopDialog
          run={run}
          part={part}
          onClose={() => {
            setOpen(null);
            setPart(null);
            story.again();
            live.again();
          }}
        />
      )}
      {open === 'terminal' && <TerminalDialog run={run} onClose={() => setOpen(null)} />}
    </div>
  );
}

import { useState } from 'preact/hooks';
import type { FleetHost, FleetRun } from '../../src/model/fleet.js';
import { ask } from '../api.js';
import { newestWords } from '../newest-words.js';
import { nextWords } from '../next-words.js';
import { Empty, Failed } from '../parts/basics.js';
import { useKeys } from '../parts/keys.js';
import { useAnswer } from '../parts/use-answer.js';
import { go } from '../route.js';
import { isReadOnly, nowMs } from '../state.js';
import { lookOf, shown } from '../words.js';
import { AnswerBox, type Part, StopDialog } from './acts.js';
import { EvidenceView } from './evidence.js';
import { WaitGraphView } from './graph.js';
import { Log } from './log.js';
import { RunHead } from './run-head.js';

/** While a run goes on, its graph is asked for again this often. */
const whyEveryMs = 15_000;

interface HostRunProps {
  run: FleetRun;
  host: FleetHost | undefined;
  /** Asks for the run again. */
  again(): void;
}

/** A run of another machine, by its id `HOST/ID`. The host decides what may be done with it. */
export function HostRun({ run, host, again }: HostRunProps) {
  const { id } = run;
  const isLive = run.status === 'running';
  const [stop, setStop] = useState<{ part: Part | null } | null>(null);
  const why = useAnswer(
    (signal) => (isLive ? ask('why', { id }, signal) : Promise.resolve(null)),
    [id, lookOf(run).word, isLive],
    isLive && Math.floor(nowMs.value / whyEveryMs),
  );
  const accepts = (kind: string) => !isReadOnly.value && host?.accept.includes(kind) === true;
  const mayStop = accepts('kill') && isLive;
  const mayAnswer = isLive && accepts('input') && run.input !== 'none';
  useKeys({
    u: () => go('hosts'),
    Escape: () => go('hosts'),
    x: () => mayStop && setStop({ part: null }),
    a: () => document.getElementById('answer')?.focus(),
    l: () => document.querySelector<HTMLElement>('.lines')?.focus(),
    '/': () => document.querySelector<HTMLElement>('.log-search')?.focus(),
  });
  return (
    <div class="run">
      <RunHead
        run={run}
        endMs={Date.parse(run.startedAt) + run.uptimeS * 1000}
        may={{ stop: mayStop, type: false, again: accepts('start') }}
        back="hosts"
        onOpen={() => setStop({ part: null })}
        onDone={again}
      />
      <section class={`verdict ${lookOf(run).tone}`} aria-label="State">
        <p class="sentence">
          {shown(why.value === null ? run.why : newestWords(run.why, why.value.verdict.reason))}
        </p>
        {run.recommendation !== undefined && (
          <p class="todo">
            Next: {shown(nextWords(run.recommendation, { stop: mayStop, answer: mayAnswer, elsewhere: id }))}
          </p>
        )}
        {mayAnswer && <AnswerBox run={run} prompt={run.needsInput ? run.lastLine : ''} onDone={again} />}
        {isLive && !isReadOnly.value && host?.accept.length === 0 && (
          <p class="muted small">
            {run.host} accepts looking only: nothing can be stopped or typed from here.
          </p>
        )}
      </section>
      <div class="split">
        <section class="panel" aria-label="Wait graph">
          <div class="body">
            {why.error !== null && <Failed error={why.error} />}
            {why.value !== null ? (
              <>
                <WaitGraphView
                  answer={why.value}
                  isHere={false}
                  onStopPart={
                    mayStop
                      ? ({ pid, startTicks, label }) =>
                          setStop({ part: { pid: pid ?? 0, startTicks: startTicks ?? 0, label } })
                      : undefined
                  }
                />
                <EvidenceView answer={why.value} />
              </>
            ) : (
              <Empty>{isLive ? 'Reading what it waits for …' : 'It has ended.'}</Empty>
            )}
          </div>
        </section>
        <Log id={id} outputBytes={run.outputBytes} wish={null} />
      </div>
      {stop !== null && (
        <StopDialog
          run={run}
          part={stop.part}
          onClose={() => {
            setStop(null);
            again();
            why.again();
          }}
        />
      )}
    </div>
  );
}

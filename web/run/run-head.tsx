import { useState } from 'preact/hooks';
import type { ListedRun } from '../../src/model/operations/outputs.js';
import { formatBytes } from '../../src/text/format-bytes.js';
import { call } from '../api.js';
import { Fact, Failed, RunBadge } from '../parts/basics.js';
import { go, hrefOf } from '../route.js';
import { dayOf, elapsed, shortId, shown } from '../words.js';

interface HeadProps {
  run: ListedRun;
  endMs: number;
  /** What is offered. */
  may: { stop: boolean; type: boolean; again: boolean };
  /** The page with the list that it is in. */
  back: 'runs' | 'hosts';
  onOpen(dialog: 'stop' | 'terminal'): void;
  /** Something was done. */
  onDone?(): void;
}

/** What a run is, and what can be done with it. */
export function RunHead({ run, endMs, may, back, onOpen, onDone }: HeadProps) {
  const { id } = run;
  const [error, setError] = useState<unknown>(null);
  const isLive = run.status === 'running';
  const page = back === 'runs' ? 'run' : 'hosts';
  /** Starts the request once more, and shows the new run. */
  const again = () => call('rerun', { id }).then((started) => go(page, started.id), setError);
  const pause = () => call(run.paused ? 'resume' : 'pause', { id }).then(onDone, setError);
  return (
    <>
      <header class="head">
        <div class="title">
          <a href={hrefOf(back)} class="back" aria-label={back === 'runs' ? 'All runs' : 'All hosts'}>
            ‹
          </a>
          <RunBadge run={run} />
          <h1>{shown(run.label)}</h1>
          <span class="mono muted">{shortId(id)}</span>
        </div>
        <div class="actions">
          {may.type && (
            <button type="button" onClick={() => onOpen('terminal')}>
              Terminal
            </button>
          )}
          {may.stop && (
            <button type="button" onClick={pause}>
              {run.paused ? 'Resume' : 'Pause'}
            </button>
          )}
          {may.again && (
            <button type="button" onClick={again}>
              Run again
            </button>
          )}
          {may.stop && (
            <button type="button" class="danger" onClick={() => onOpen('stop')}>
              Stop …
            </button>
          )}
        </div>
        <dl class="about">
          <Fact name="Command" mono>
            {run.command}
          </Fact>
          <Fact name="Directory" mono>
            {run.cwd}
          </Fact>
          <Fact name="Started">{dayOf(run.startedAt)}</Fact>
          <Fact name="Time" mono>
            {elapsed(endMs - Date.parse(run.startedAt))}
          </Fact>
          {run.estimate !== undefined && (
            <Fact name={run.estimate.usualMs === null ? 'Progress' : 'Usually'}>{run.estimate.text}</Fact>
          )}
          {run.pid !== null && (
            <Fact name="Pid" mono>
              {String(run.pid)}
            </Fact>
          )}
          {isLive && <Fact name="CPU" mono>{`${Math.round(run.cpuPercent)} %`}</Fact>}
          {isLive && (
            <Fact name="Memory" mono>
              {formatBytes(run.residentBytes)}
            </Fact>
          )}
          <Fact name="Output" mono>
            {formatBytes(run.outputBytes)}
          </Fact>
          {run.owner !== null && <Fact name="Owner">{run.owner}</Fact>}
        </dl>
      </header>
      {error !== null && <Failed error={error} />}
    </>
  );
}

import type { PastRun } from '../../src/model/run/past-run.js';
import type { WebHistory } from '../../src/model/web.js';
import { formatDuration } from '../../src/text/duration.js';
import { formatBytes } from '../../src/text/format-bytes.js';
import { ask } from '../api.js';
import { Badge, Empty, Failed } from '../parts/basics.js';
import { useAnswer } from '../parts/use-answer.js';
import { hrefOf } from '../route.js';
import { dayOf, shown } from '../words.js';

const shownMax = 60;

/** What is normal for each command, by its earlier runs. */
export function History({ chosen }: { chosen: string }) {
  const { value, error, isAsking } = useAnswer((signal) => ask('histories', {}, signal), []);
  const list = value?.histories ?? [];
  const one = list.find(({ key }) => key === chosen);
  return (
    <div class="history">
      <h1>{one === undefined ? 'History' : <a href={hrefOf('history')}>History</a>}</h1>
      {error !== null && <Failed error={error} />}
      {value === null && isAsking && <Empty>Reading …</Empty>}
      {value !== null && list.length === 0 && <Empty>No command has ended yet.</Empty>}
      {one !== undefined && <Command history={one} />}
      <div class="cards">
        {list.map((history) => (
          <a
            key={history.key}
            class="card"
            href={hrefOf('history', history.key)}
            aria-current={history.key === chosen ? 'true' : undefined}
          >
            <b class="mono">{shown(history.command)}</b>
            <small class="muted">{shown(history.project ?? '')}</small>
            <Bars runs={history.runs.slice(-shownMax)} outliers={history.outliers} />
            <small>
              {history.runs.length} {history.runs.length === 1 ? 'run' : 'runs'}
              {history.usual !== null && `, usually ${formatDuration(history.usual.durationMs.median)}`}
              {history.trend !== null && `, ${history.trend}`}
            </small>
          </a>
        ))}
      </div>
    </div>
  );
}

const isGood = ({ exit }: PastRun) => exit.code === 0;

/** One bar per run: its height is the duration, its colour whether it succeeded. */
function Bars({ runs, outliers }: { runs: readonly PastRun[]; outliers: readonly string[] }) {
  const most = Math.max(1, ...runs.map(({ durationMs }) => durationMs));
  return (
    <svg
      class="bars"
      viewBox={`0 0 ${shownMax * 4} 40`}
      role="img"
      aria-label={`Durations of the last ${runs.length} runs`}
      preserveAspectRatio="none"
    >
      {runs.map((run, index) => {
        const height = Math.max(1.5, (run.durationMs / most) * 38);
        return (
          <rect
            key={run.id}
            class={`${isGood(run) ? 'good' : 'bad'}${outliers.includes(run.id) ? ' far' : ''}`}
            x={index * 4}
            y={40 - height}
            width={3}
            height={height}
          >
            <title>{`${dayOf(run.startedAt)}: ${formatDuration(run.durationMs)}, ${run.exit.signal ?? `exit ${run.exit.code ?? 'unknown'}`}`}</title>
          </rect>
        );
      })}
    </svg>
  );
}

function Command({ history }: { history: WebHistory }) {
  const { usual, runs, outliers } = history;
  return (
    <section class="panel">
      <h2 class="mono">{shown(history.command)}</h2>
      {usual !== null && (
        <p>
          Usually {formatDuration(usual.durationMs.median)}, 95 % within{' '}
          {formatDuration(usual.durationMs.p95)}
          {usual.longestSilenceMs !== null &&
            `; never silent for longer than ${formatDuration(usual.longestSilenceMs)}`}
          .
        </p>
      )}
      <Bars runs={runs.slice(-shownMax)} outliers={outliers} />
      <div class="wide-table">
        <table>
          <thead>
            <tr>
              {['Started', 'Result', 'Time', 'Longest silence', 'Lines', 'Most CPU', 'Most memory'].map(
                (title) => (
                  <th key={title}>{title}</th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {runs
              .slice(-shownMax)
              .toReversed()
              .map((run) => (
                <tr key={run.id}>
                  <td>{dayOf(run.startedAt)}</td>
                  <td>
                    <Badge tone={isGood(run) ? 'calm' : 'warn'}>
                      {run.outcome === 'exited'
                        ? (run.exit.signal ?? `exit ${run.exit.code ?? 'unknown'}`)
                        : run.outcome}
                    </Badge>
                  </td>
                  <td class="mono">{formatDuration(run.durationMs)}</td>
                  <td class="mono">
                    {run.longestSilenceMs === null ? '' : formatDuration(run.longestSilenceMs)}
                  </td>
                  <td class="mono">{run.lines ?? ''}</td>
                  <td class="mono">{Math.round(run.cpuPercent)} %</td>
                  <td class="mono">{formatBytes(run.residentBytes)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

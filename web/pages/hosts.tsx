import type { FleetHost, FleetRun } from '../../src/model/fleet.js';
import { formatBytes } from '../../src/text/format-bytes.js';
import { ask } from '../api.js';
import { Badge, Empty, Failed, RunBadge } from '../parts/basics.js';
import { useAnswer } from '../parts/use-answer.js';
import { hrefOf } from '../route.js';
import { HostRun } from '../run/host-run.js';
import { hello, nowMs } from '../state.js';
import { dayOf, elapsed, inOrder, isTrouble, shortId, shown } from '../words.js';

/** All hosts are asked this often while the page is in view. */
const askEveryMs = 5000;
/** Ended runs that are listed. */
const endedShown = 10;

/** The machines of the fleet, and their runs: trouble first. */
export function Hosts({ chosen }: { chosen: string }) {
  const beat = document.hidden ? 'hidden' : Math.floor(nowMs.value / askEveryMs);
  const { value, error, again } = useAnswer((signal) => ask('fleet', {}, signal), [], beat);
  const { hosts = [], runs = [] } = value ?? {};
  const run = runs.find(({ id }) => id === chosen);
  if (run !== undefined) {
    return (
      <HostRun key={run.id} run={run} host={hosts.find(({ name }) => name === run.host)} again={again} />
    );
  }
  const ordered = inOrder(runs) as FleetRun[];
  const live = ordered.filter(({ status }) => status === 'running');
  const ended = ordered.filter(({ status }) => status !== 'running').sort(latestFirst);
  return (
    <div class="hosts">
      <h1>Hosts{hello.value?.fleet == null ? '' : ` of the fleet ${hello.value.fleet.name}`}</h1>
      {error !== null && <Failed error={error} />}
      {value === null && error === null && <Empty>Asking all hosts …</Empty>}
      {value !== null && chosen !== '' && <Empty>There is no run {shown(chosen)} any more.</Empty>}
      {value !== null && hosts.length === 0 && (
        <Empty>
          No machine has joined yet: <code>unstuck join nats://SERVER --name NAME</code>
        </Empty>
      )}
      <div class="cards">
        {hosts.map((host) => (
          <Host
            key={host.name}
            host={host}
            troubles={live.filter((one) => one.host === host.name && isTrouble(one)).length}
          />
        ))}
      </div>
      {value !== null && hosts.length > 0 && runs.length === 0 && <Empty>No runs.</Empty>}
      {runs.length > 0 && <Runs list={[...live, ...ended.slice(0, endedShown)]} />}
      {ended.length > endedShown && (
        <p class="muted small">
          and {ended.length - endedShown} more ended runs: <code>unstuck ps --fleet --all</code>
        </p>
      )}
    </div>
  );
}

const endMs = (run: FleetRun) => Date.parse(run.startedAt) + run.uptimeS * 1000;
const latestFirst = (a: FleetRun, b: FleetRun) => endMs(b) - endMs(a);

function Host({ host, troubles }: { host: FleetHost; troubles: number }) {
  const { name, away, busy, runs, jobs, slots, labels, accept, version, seen } = host;
  const isHere = name === hello.value?.fleet?.host;
  return (
    <article class="card host" aria-label={name}>
      <p class="title">
        <b title={name}>{name}</b>
        {isHere && <small class="muted">this machine</small>}
        {away !== undefined ? (
          <Badge tone="warn">away</Badge>
        ) : busy !== undefined ? (
          <Badge tone="warn">busy</Badge>
        ) : troubles > 0 ? (
          <Badge tone="bad">{troubles} in trouble</Badge>
        ) : (
          <Badge tone="good">fine</Badge>
        )}
      </p>
      {(away ?? busy) !== undefined && <small class="whole">{shown(away ?? busy ?? '')}</small>}
      <small>
        {away === undefined ? `${runs} live ${runs === 1 ? 'run' : 'runs'}` : `last seen ${dayOf(seen)}`}
        {slots > 0 && `, jobs ${jobs} of ${slots}`}
      </small>
      <small class="muted whole">
        {accept.length === 0 ? 'accepts looking only' : `accepts ${accept.join(', ')}`}
        {labels.length > 0 && `; ${labels.map(shown).join(', ')}`}; Unstuck {shown(version)}
      </small>
    </article>
  );
}

/** A run of this machine has more on its own page. */
function pageOf({ id, host }: FleetRun): string {
  return host === hello.value?.fleet?.host ? hrefOf('run', id.slice(host.length + 1)) : hrefOf('hosts', id);
}

function Runs({ list }: { list: readonly FleetRun[] }) {
  return (
    <div class="wide-table">
      <table class="stacked">
        <thead>
          <tr>
            {['State', 'Host', 'Run', 'What it does', 'Time', 'CPU', 'Memory', 'Last line'].map((title) => (
              <th key={title}>{title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {list.map((run) => {
            const isLive = run.status === 'running';
            return (
              <tr key={run.id}>
                <td>
                  <RunBadge run={run} />
                </td>
                <td class="name" title={run.host}>
                  {run.host}
                </td>
                <td class="name">
                  <a href={pageOf(run)} title={shown(run.label)}>
                    {shown(run.label)}
                  </a>
                  <small class="muted mono">{shortId(run.id.slice(run.host.length + 1))}</small>
                </td>
                <td class="what">{shown(run.why)}</td>
                <td class="mono">{elapsed(run.uptimeS * 1000)}</td>
                <td class="mono one-line">{isLive ? `${Math.round(run.cpuPercent)} %` : ''}</td>
                <td class="mono one-line">{isLive ? formatBytes(run.residentBytes) : ''}</td>
                <td class="mono last">{shown(run.lastLine)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

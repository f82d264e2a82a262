import type { OperationOutput } from '../../../control/operations/table.js';
import { printable } from '../../../text/printable.js';
import { cutToWidth } from '../../output/display-width.js';
import { StatusLine } from '../../output/status-line.js';
import type { Call } from '../../shared/call.js';
import { clock } from '../run/render-heartbeat.js';

type Run = OperationOutput<'list'>['runs'][number];

const everyMs = 2000;

/** The status line during a wait. */
export function waitStatus(run: Run, agoMs: number, columns: number): string {
  const parts = [
    run.why === '' ? run.health : `${run.health}: ${run.why}`,
    clock(run.uptimeS * 1000 + agoMs),
    `${Math.round(run.cpuPercent)}% CPU`,
    ...(run.progress === null ? [] : [run.progress]),
    ...(run.estimate === undefined ? [] : [run.estimate.text]),
  ];
  const line = run.lastLine === '' ? '' : ` │ ${run.lastLine}`;
  return cutToWidth(printable(`${run.label}: ${parts.join(' · ')}${line}`), Math.max(10, columns - 1));
}

/** Shows a line at the bottom of the terminal until the wait ends. */
export function showWait(call: Call, id: string): { end(): void } {
  const stop = new AbortController();
  let seen: { run: Run; atMs: number } | null = null;
  const refresh = async () => {
    try {
      const { id: whole } = await call('inspect', { id }, { signal: stop.signal });
      const { runs } = await call('list', { status: 'running' }, { signal: stop.signal });
      const run = runs.find((one) => one.id === whole);
      seen = run === undefined ? null : { run, atMs: performance.now() };
    } catch {
      // The wait itself reports errors; this line shows what is available.
    }
  };
  void refresh();
  const timer = setInterval(refresh, everyMs);
  timer.unref();
  const line = new StatusLine(
    (text) => process.stderr.write(text),
    (columns) => (seen === null ? '' : waitStatus(seen.run, performance.now() - seen.atMs, columns)),
  );
  return {
    end() {
      stop.abort();
      clearInterval(timer);
      line.end();
    },
  };
}

import type { MonitorEvent } from '../../../model/monitor.js';
import { formatDuration } from '../../../text/duration.js';
import { formatBytes } from '../../../text/format-bytes.js';
import { printable } from '../../../text/printable.js';
import { clock } from '../run/render-heartbeat.js';
import { healthLines } from '../run/render-run-event.js';

/** Lines for an event; `name` distinguishes the processes. */
export function renderMonitorEvent(event: MonitorEvent, name: string): string[] {
  return linesOf(event, (text) => `[watch] ${name} ${text}`).map(printable);
}

function linesOf(event: MonitorEvent, line: (text: string) => string): string[] {
  switch (event.kind) {
    case 'started':
      return [line(`is watched: ${event.command}`)];
    case 'health':
    case 'needs-input':
      return healthLines(event, line);
    case 'finding':
      return [];
    case 'heartbeat': {
      const { monitoredMs, programs, cpuPercent, residentBytes, health, reason } = event;
      const counts = programs.map(({ name, count }) => (count === 1 ? name : `${name} x${count}`)).join(',');
      const numbers = `procs=${counts} cpu=${Math.round(cpuPercent)}% memory=${formatBytes(residentBytes)}`;
      return [line(`t+${clock(monitoredMs)} ${numbers} state=${health}: ${reason}`)];
    }
    case 'ended':
      return [
        line(
          `ended after ${formatDuration(event.monitoredMs)} (last state: ${event.health ?? 'not judged yet'})`,
        ),
      ];
  }
}

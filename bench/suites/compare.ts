import type { RunEvent } from '../../src/model/run/run.js';
import type { Statuses, Suite } from './suite.js';

/** The end of a suite that took longer than its bound. */
export const tooSlow = 'too slow';

/** One run of a suite. */
export interface Played {
  statuses: Statuses;
  /** The exit code, the signal, or `tooSlow`. */
  end: string;
  ms: number;
  /** What Unstuck reported. */
  reports: Reports;
}

export interface Reports {
  /** Hangs, and everything that Unstuck did to the command. The hang benchmark counts the same as an alarm. */
  alarms: string[];
  /** Silences that are named, and no more. */
  silences: string[];
}

export interface Difference {
  test: string;
  plain: string;
  ours: string;
}

/** A suite, plainly and in each way below Unstuck. */
export interface SuiteResult {
  suite: Suite;
  plain: Played[];
  ours: { way: string; played: Played; different: Difference[] }[];
}

const endName = 'the end of the suite';

function withEnd({ statuses, end }: Played): Statuses {
  return new Map([...statuses, [endName, end]]);
}

/** Tests whose status is another than in every plain run. A suite without any status is no comparison. */
export function differences(plain: readonly Played[], ours: Played): Difference[] {
  const all = plain.map(withEnd);
  const own = withEnd(ours);
  const names = new Set([...all.flatMap((statuses) => [...statuses.keys()]), ...own.keys()]);
  const none = ours.statuses.size === 0 ? [{ test: 'all', plain: 'any status', ours: 'no status' }] : [];
  return [...names].reduce<Difference[]>((found, test) => {
    const seen = new Set(all.map((statuses) => statuses.get(test) ?? 'absent'));
    const status = own.get(test) ?? 'absent';
    if (!seen.has(status)) found.push({ test, plain: [...seen].join(' or '), ours: status });
    return found;
  }, none);
}

export function reportsIn(events: readonly RunEvent[]): Reports {
  const reports: Reports = { alarms: [], silences: [] };
  for (const event of events) {
    switch (event.kind) {
      case 'health':
      case 'needs-input': {
        const { health, reason } = event.diagnosis;
        const isSilence = event.kind === 'health' && health === 'suspicious';
        if (event.kind === 'health' && health === 'healthy') break;
        reports[isSilence ? 'silences' : 'alarms'].push(`${event.kind}: ${health}: ${reason}`);
        break;
      }
      case 'finding':
        reports.alarms.push(`finding: ${event.finding.kind}: ${event.finding.reason}`);
        break;
      case 'stalled':
        reports.silences.push(`${event.kind}: ${event.reason}`);
        break;
      case 'signal':
      case 'killed':
      case 'part-stopped':
        reports.alarms.push(`${event.kind}: ${event.reason}`);
        break;
      default:
    }
  }
  return reports;
}

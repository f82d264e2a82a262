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
  /** What Unstuck reported; empty: nothing. */
  alarms: string[];
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

/** Reports of a hang, and everything that Unstuck did to the command. */
export function alarmsIn(events: readonly RunEvent[]): string[] {
  return events.flatMap((event) => {
    switch (event.kind) {
      case 'health':
      case 'needs-input': {
        const { health, reason } = event.diagnosis;
        return event.kind === 'health' && health === 'healthy' ? [] : [`${event.kind}: ${health}: ${reason}`];
      }
      case 'finding':
        return [`finding: ${event.finding.kind}: ${event.finding.reason}`];
      case 'stalled':
      case 'signal':
      case 'killed':
      case 'part-stopped':
        return [`${event.kind}: ${event.reason}`];
      default:
        return [];
    }
  });
}

import type { Health } from '../../src/model/run/health.js';
import type { RunEvent } from '../../src/model/run/run.js';

/** A stretch of one health. */
export interface Stretch {
  fromMs: number;
  toMs: number;
  state: Health | 'asks';
  reason: string;
}

export const stateWords = (state: Stretch['state']) => (state === 'asks' ? 'needs an answer' : state);

/** Health over time, from the events of a run. No event says that a question was answered, so only the open one is shown. */
export function bandOf(
  events: readonly RunEvent[],
  startMs: number,
  endMs: number,
  asksNow = false,
): Stretch[] {
  const result: Stretch[] = [{ fromMs: startMs, toMs: endMs, state: 'healthy', reason: 'it goes on' }];
  const open = asksNow ? events.findLast(({ kind }) => kind === 'needs-input') : undefined;
  for (const event of events) {
    if (event.kind !== 'health' && event !== open) continue;
    const { at, diagnosis } = event as Extract<RunEvent, { kind: 'health' | 'needs-input' }>;
    const atMs = Date.parse(at);
    const last = result.at(-1);
    if (last !== undefined) last.toMs = atMs;
    const state = event === open ? 'asks' : diagnosis.health;
    result.push({ fromMs: atMs, toMs: endMs, state, reason: diagnosis.reason });
  }
  return result.filter(({ fromMs, toMs }) => toMs >= fromMs);
}

/** A moment worth a mark. */
export interface Moment {
  atMs: number;
  kind: string;
  text: string;
}

/** What happened, for the marks of the timeline and the list of events. */
export function momentsOf(events: readonly RunEvent[]): Moment[] {
  return events.flatMap((event): Moment[] => {
    const text = momentWords(event);
    return text === null ? [] : [{ atMs: Date.parse(event.at), kind: event.kind, text }];
  });
}

function momentWords(event: RunEvent): string | null {
  switch (event.kind) {
    case 'started':
      return `started ${event.command}`;
    case 'health':
      return `${event.diagnosis.health}: ${event.diagnosis.reason}`;
    case 'needs-input':
      return `needs an answer: ${event.diagnosis.reason}`;
    case 'finding':
      return `a part is stuck: ${event.finding.reason}`;
    case 'part-stopped':
      return `a part was stopped: ${event.reason}`;
    case 'stalled':
      return `output stalled: ${event.reason}`;
    case 'warning':
      return event.message;
    case 'signal':
      return `${event.signal}: ${event.reason}`;
    case 'evidence':
      return 'evidence was kept';
    case 'killed':
      return `stopped: ${event.reason}`;
    case 'exited':
      return `ended: ${event.outcome}, ${event.exit.signal ?? `exit ${event.exit.code ?? 'unknown'}`}`;
    case 'project-settings':
      return event.message;
    default:
      return null;
  }
}

import type { Health } from '../../src/model/run/health.js';
import type { RunEvent } from '../../src/model/run/run.js';

/** A stretch of one health. */
export interface Stretch {
  fromMs: number;
  toMs: number;
  health: Health;
  reason: string;
}

/** Health over time, from the events of a run. */
export function bandOf(events: readonly RunEvent[], startMs: number, endMs: number): Stretch[] {
  const result: Stretch[] = [{ fromMs: startMs, toMs: endMs, health: 'healthy', reason: 'it goes on' }];
  for (const event of events) {
    if (event.kind !== 'health') continue;
    const atMs = Date.parse(event.at);
    const last = result.at(-1);
    if (last !== undefined) last.toMs = atMs;
    result.push({
      fromMs: atMs,
      toMs: endMs,
      health: event.diagnosis.health,
      reason: event.diagnosis.reason,
    });
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

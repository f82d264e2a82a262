import type { Diagnosis } from '../../model/run/health.js';
import type { VerdictKind } from '../../model/verdict.js';

/** The verdicts of an agent while its model is at work: its event loop waits, with timers and sockets of its own. */
const quiet: ReadonlySet<VerdictKind> = new Set(['network', 'timer', 'service', 'event', 'asleep']);

/**
 * Whether the kernel evidence allows that an agent waits for its model: no tool of the agent lives, the agent has a
 * connection, and it computes nothing. `tools`: how many may be in flight; null: not known.
 */
export function mayAwaitModel({ verdict, numbers }: Diagnosis, tools: number | null): boolean {
  if (verdict === null || !quiet.has(verdict.kind) || tools !== 0) return false;
  return (numbers.connections?.ESTABLISHED ?? 0) > 0;
}

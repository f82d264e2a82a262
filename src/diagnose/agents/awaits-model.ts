import type { Diagnosis } from '../../model/run/health.js';
import type { VerdictKind } from '../../model/verdict.js';

/** The verdicts of an agent while its model is at work: its event loop waits, with timers and sockets of its own. */
const quiet: ReadonlySet<VerdictKind> = new Set(['network', 'timer', 'service', 'event', 'asleep']);

/** The event loop of an agent ticks while it waits, and a snapshot may meet a tick: such a share of a CPU is no work. */
const tickingPercentMax = 5;

function isQuiet({ verdict, numbers }: Diagnosis): boolean {
  if (verdict === null) return false;
  return quiet.has(verdict.kind) || (verdict.kind === 'working' && numbers.cpuPercent < tickingPercentMax);
}

/**
 * Whether the kernel evidence allows that an agent waits for its model: no tool of the agent lives, the agent has a
 * connection, and it computes nothing. `tools`: how many may be in flight; null: not known.
 */
export function mayAwaitModel(diagnosis: Diagnosis, tools: number | null): boolean {
  return tools === 0 && isQuiet(diagnosis) && (diagnosis.numbers.connections?.ESTABLISHED ?? 0) > 0;
}

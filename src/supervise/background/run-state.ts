import type { AgentFacts } from '../../model/agent.js';
import type { RunStatus } from '../../model/background.js';
import type { Diagnosis, Health } from '../../model/health.js';
import type { Exit } from '../../model/run.js';
import type { RunEnd } from './run-end.js';
import { unreadableWords, whyWords } from './words.js';

/** What is known of a run at this moment. */
export interface RunState {
  id: string;
  status: RunStatus;
  health: Health;
  /** One short sentence. */
  why: string;
  exit?: Exit;
  /** C7: what an agent says of itself. */
  agent?: AgentFacts;
}

export interface KnownOfRun {
  id: string;
  /** null: it has not ended. */
  end: RunEnd | null;
  diagnosis: Diagnosis | null;
  /** Why it cannot be read how far it has come; null: it can. */
  unreadable: string | null;
  elapsedMs: number;
  remark: string | null;
  agent: AgentFacts | null;
}

export function stateOf({ id, end, diagnosis, unreadable, elapsedMs, remark, agent }: KnownOfRun): RunState {
  return {
    id,
    status: end?.status ?? 'running',
    health: diagnosis?.health ?? 'healthy',
    why: end?.why ?? unreadableWords(unreadable) ?? whyWords(diagnosis, elapsedMs, remark),
    ...(end !== null && { exit: end.exit }),
    ...(agent !== null && agent.events > 0 && { agent }),
  };
}

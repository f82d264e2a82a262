import type { AgentFacts } from '../model/run/agent.js';
import type { RunStatus } from '../model/run/background.js';
import type { Diagnosis, Health } from '../model/run/health.js';
import type { OutputLost } from '../model/run/output-lost.js';
import type { Exit } from '../model/run/run.js';
import type { RunEnd } from './end/run-end.js';
import { unreadableWords, whyWords } from './words.js';

/** The present facts about a run. */
export interface RunState {
  id: string;
  status: RunStatus;
  /** null: the run has ended. */
  health: Health | null;
  /** A short sentence. */
  why: string;
  exit?: Exit;
  /** Absent: no lost output is known. */
  outputLost?: OutputLost;
  /** What an agent reports about itself. */
  agent?: AgentFacts;
}

export interface KnownOfRun {
  id: string;
  /** null: the run has not ended. */
  end: RunEnd | null;
  diagnosis: Diagnosis | null;
  /** Why the state of the run cannot be read; null: it can be read. */
  unreadable: string | null;
  elapsedMs: number;
  remark: string | null;
  agent: AgentFacts | null;
  outputLost: OutputLost | null;
}

export function stateOf(known: KnownOfRun): RunState {
  const { id, end, diagnosis, unreadable, elapsedMs, remark, agent, outputLost } = known;
  return {
    id,
    status: end?.status ?? 'running',
    health: end === null ? (diagnosis?.health ?? 'healthy') : null,
    why: end?.why ?? unreadableWords(unreadable) ?? whyWords(diagnosis, elapsedMs, remark),
    ...(end !== null && { exit: end.exit }),
    ...(outputLost !== null && { outputLost }),
    ...(agent !== null &&
      (agent.events > 0 || agent.waits !== null || agent.screen !== undefined) && { agent }),
  };
}

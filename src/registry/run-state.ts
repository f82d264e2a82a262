import type { AgentFacts } from '../model/run/agent.js';
import type { RunStatus } from '../model/run/background.js';
import type { Diagnosis, Health } from '../model/run/health.js';
import type { OutputLost } from '../model/run/output-lost.js';
import type { Exit } from '../model/run/run.js';
import type { Ended, RunState } from '../run/state.js';
import { endWords, unreadableWords, whyWords } from './words.js';

/** The present facts about a run. */
export interface RunFacts {
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
  state: RunState;
  diagnosis: Diagnosis | null;
  elapsedMs: number;
  remark: string | null;
  agent: AgentFacts | null;
  outputLost: OutputLost | null;
}

export function factsOf(known: KnownOfRun): RunFacts {
  const { id, state, diagnosis, elapsedMs, remark, agent, outputLost } = known;
  const end = endOf(state);
  const why =
    end === null
      ? (unreadableWords(unreadableOf(state)) ?? whyWords(diagnosis, elapsedMs, remark))
      : endWords(end.exit, end.outputLost);
  return {
    id,
    status: statusOf(state),
    health: end === null ? (diagnosis?.health ?? 'healthy') : null,
    why,
    ...(end !== null && { exit: end.exit }),
    ...(outputLost !== null && { outputLost }),
    ...(agent !== null &&
      (agent.events > 0 || agent.waits !== null || agent.screen !== undefined) && { agent }),
  };
}

/** null: the run has not ended. */
export function endOf(state: RunState): Ended | null {
  return state.kind === 'ended' ? state : null;
}

export function statusOf(state: RunState): RunStatus {
  if (state.kind !== 'ended') return 'running';
  return state.exit.provenance === 'unknown' ? 'lost' : 'exited';
}

/** Why the state of the run cannot be read; null: it can be read. */
export function unreadableOf(state: RunState): string | null {
  return state.kind === 'unknown' ? state.reason : null;
}

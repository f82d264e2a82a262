import type { OperationName } from '../../model/operations/operations.js';
import type { Exit } from '../../model/run/run.js';
import type { FleetAnswer } from '../wire.js';

/** Does one operation on this machine; never rejects. */
export type AnswerOperation = (
  name: OperationName,
  input: unknown,
  context: { requestId: string; signal: AbortSignal },
) => Promise<FleetAnswer>;

/** What a member publishes about a run. */
export interface LocalRun {
  id: string;
  label: string;
  /** Secrets masked. */
  command: string;
  status: 'running' | 'exited' | 'lost';
  health: string | null;
  why: string;
  exit?: Exit;
  startedAt: string;
  task: string | null;
  owner: string | null;
  tags: string[];
}

/** The runs of this machine, as a member uses them. */
export interface LocalRuns {
  /** Number of live runs. */
  live(): number;
  all(): LocalRun[];
  /** Whether the end of this run has been published. */
  isReported(id: string): boolean;
  /** Remembered over restarts of the daemon: the end of this run has been published. */
  noteReported(id: string): void;
  answer: AnswerOperation;
  /** What a run or a process waits for; never rejects. */
  why(input: unknown, signal: AbortSignal): Promise<FleetAnswer>;
  /** What this machine lets Unstuck see; never rejects. */
  doctor(): Promise<FleetAnswer>;
}

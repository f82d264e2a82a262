import type { AgentFacts } from '../../run/agent.js';
import type { InputKind, RunStatus } from '../../run/background.js';
import type { OutputLost } from '../../run/output-lost.js';
import type { Exit } from '../../run/run.js';
import type { ScreenClaim } from '../../run/screen-claim.js';

/** Several runs have the label that was given. */
export interface Ambiguous {
  label: string;
  /** Ids of the other runs, newest first, at most five. */
  others: string[];
  /** Which one was taken, in one sentence. */
  message: string;
}

/** The answer of an operation on one run. */
export interface RunAnswer {
  id: string;
  /** Several runs have the label that was given; absent: no other can be meant. */
  ambiguous?: Ambiguous;
}

/** A run that was started. */
export interface StartOutput {
  id: string;
  /** null: it was not seen running. */
  pid: number | null;
  status: RunStatus;
  /** Only of a run that has ended. */
  exit?: Exit;
  /** The place that it runs in; absent: this machine. */
  on?: string;
  label: string;
  /** Path of its log. */
  log: string;
  /** What was accepted, but may not be what was meant. */
  warnings: string[];
}

/** Where the files of a run are. */
export interface InspectOutput extends RunAnswer {
  status: RunStatus;
  /** The place that it runs in; absent: this machine. */
  on?: string;
  directory: string;
  log: string;
  /** Bytes of the header before the first byte of output. */
  logStart: number;
  input: InputKind;
  pid: number | null;
  /** Printed, and not in the log, as on a full disk; absent: nothing, as far as is known. */
  outputLost?: OutputLost;
  /** What its terminal shows; absent: it has none, or nothing that matters. */
  screen?: ScreenClaim;
  /** What an agent says of itself; only of agents whose events are known. */
  agent?: AgentFacts;
}

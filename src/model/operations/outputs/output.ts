import type { AgentFacts } from '../../run/agent.js';
import type { RunStatus } from '../../run/background.js';
import type { Health } from '../../run/health.js';
import type { OutputLost } from '../../run/output-lost.js';
import type { Exit } from '../../run/run.js';
import type { RunAnswer } from './run.js';

/** Output since the reader asked last: its beginning and its end. */
export interface BoundedOutput {
  output: string;
  /** Characters left out of the middle. */
  omitted: number;
}

/** The state of a run. */
export interface PollOutput extends BoundedOutput, RunAnswer {
  /** Absent: it is not paused. */
  paused?: true;
  /** Since when its place cannot be reached; absent: it can be. */
  unreachableSince?: string;
  status: RunStatus;
  /** null: it has ended. */
  health: Health | null;
  /** One short sentence: why it is in that state. */
  why: string;
  /** Only of a run that has ended. */
  exit?: Exit;
  /** Turn, tool, tokens and result; only of agents whose events are known. */
  agent?: AgentFacts;
  /** Printed, and not in the log, as on a full disk; absent: nothing, as far as is known. */
  outputLost?: OutputLost;
  /** What does not work as it was asked for; absent: nothing. */
  warnings?: string[];
}

/** Lines of the output. */
export interface LogOutput extends RunAnswer {
  status: RunStatus;
  lines: string[];
  /** Number of the first line. */
  offset: number;
  totalLines: number;
  /** There are more lines than `totalLines`: too many to count at once. */
  atLeast?: true;
  /** Lines at the beginning that were dropped for the disk cap. */
  droppedLines: number;
  /** Of a search: the number of each line. */
  numbers?: number[];
  /** Of a search that is not at the end: go on from this line. */
  nextOffset?: number;
  /** For each line: not printed before this time, in milliseconds since 1970. */
  times?: number[];
  /** Printed, and not in the log, as on a full disk; absent: nothing, as far as is known. */
  outputLost?: OutputLost;
}

/** Bytes of the output of a run. */
export interface ReadOutput extends RunAnswer {
  status: RunStatus;
  /** Offset of the first byte of `data`: later than asked for when the head was dropped for the disk cap. */
  offset: number;
  /** base64. */
  data: string;
  /** Bytes of output so far. */
  totalBytes: number;
  /** Printed, and not in the log, as on a full disk; absent: nothing, as far as is known. */
  outputLost?: OutputLost;
}

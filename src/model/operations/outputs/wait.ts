import type { AgentFacts } from '../../run/agent.js';
import type { Health } from '../../run/health.js';
import type { OutputLost } from '../../run/output-lost.js';
import type { Exit } from '../../run/run.js';
import type { BoundedOutput } from './output.js';
import type { RunAnswer } from './run.js';

/** What ended a wait. After `timeout` the run goes on. */
export type WaitEnd = 'exited' | 'lost' | 'timeout' | 'needs-input' | 'stuck' | 'match' | 'port' | 'quiet';

/** One run when a wait has ended. */
export interface WaitedRun extends BoundedOutput, RunAnswer {
  /** Absent: it is not paused. */
  paused?: true;
  /** Only of a run that has ended. */
  exit?: Exit;
  /** null: it has ended. */
  health: Health | null;
  /** One short sentence: why it is in that state. */
  why: string;
  /** Turn, tool, tokens and result; only of agents whose events are known. */
  agent?: AgentFacts;
  /** The line that matched. */
  line?: string;
  /** The port that is open. */
  port?: number;
  /** Printed, and not in the log, as on a full disk; absent: nothing, as far as is known. */
  outputLost?: OutputLost;
}

/** How long a wait took. */
export interface WaitTime {
  waitedS: number;
  /** The time limit was cut to 180 s. */
  clamped: boolean;
}

/** How a wait ended. */
export interface WaitOutput extends WaitedRun, WaitTime {
  status: WaitEnd;
}

/** One of several runs that were waited for. `running`: with `any`, the wait for another one has ended. */
export interface WaitResult extends WaitedRun {
  label: string;
  status: WaitEnd | 'running';
}

/** How a wait for several runs ended. */
export interface WaitManyOutput extends WaitTime {
  /** timeout: the time was over first. */
  status: 'done' | 'timeout';
  /** In the order of `ids`, each run once. */
  results: WaitResult[];
}

import type { Notice } from '../notice.js';
import type { Orphan, OrphanWatchStatistics } from '../orphan.js';
import type { AgentFacts } from '../run/agent.js';
import type { InputKind, RunStatus } from '../run/background.js';
import type { Estimate } from '../run/estimate.js';
import type { Health } from '../run/health.js';
import type { OutputLost } from '../run/output-lost.js';
import type { Receipt } from '../run/receipt.js';
import type { Exit } from '../run/run.js';
import type { ScreenClaim } from '../run/screen-claim.js';
import type { SendableSignal } from '../run/sendable-signals.js';

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
  label: string;
  /** Path of its log. */
  log: string;
  /** What was accepted, but may not be what was meant. */
  warnings: string[];
}

/** An estimate, also as a sentence. */
export interface EstimateText extends Estimate {
  text: string;
}

/** One run of a list. */
export interface ListedRun {
  id: string;
  label: string;
  /** Secrets masked. */
  command: string;
  status: RunStatus;
  /** null: it was never seen running. */
  pid: number | null;
  startedAt: string;
  uptimeS: number;
  /** null: it has ended. */
  health: Health | null;
  /** Absent: it is not paused. */
  paused?: true;
  /** It is started again when it ends; absent: it is not. */
  restart?: {
    on: 'on-failure' | 'always';
    /** From 1. */
    attempt: number;
    /** When it is started again; null: it lives, or it will not be. */
    nextAt: string | null;
    /** Why it is not started again; null: it lives, or it will be. */
    over: string | null;
  };
  /** It waits for an answer: write or submit one. */
  needsInput: boolean;
  /** One short sentence: why it is in that state. */
  why: string;
  /** Only of a run that has ended. */
  exit?: Exit;
  task: string | null;
  owner: string | null;
  tags: string[];
  cwd: string;
  /** 100 is one core. */
  cpuPercent: number;
  residentBytes: number;
  outputBytes: number;
  /** Of its output; control sequences removed. */
  lastLine: string;
  /** `142/500`, as its output reports it; null: it reports none. */
  progress: string | null;
  /** How far it has come, by its progress or by earlier runs of the command; absent: not known. */
  estimate?: EstimateText;
  /** Printed, and not in the log, as on a full disk; absent: nothing, as far as is known. */
  outputLost?: OutputLost;
}

/** The runs of the daemon. */
export interface ListOutput {
  runs: ListedRun[];
  /** Directories that look like runs and cannot be read: never deleted. */
  unreadable: { directory: string; reason: string }[];
}

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
  /** Printed, and not in the log, as on a full disk; absent: nothing, as far as is known. */
  outputLost?: OutputLost;
}

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

/** How a kill ended. */
export interface KilledRun {
  id: string;
  /** already-exited: nothing was left to stop. */
  status: 'killed' | 'already-exited';
  /** Only of a run that has ended. */
  exit?: Exit;
  /** Which processes were signalled, and which are left; null: none was. */
  receipt: Receipt | null;
}

/** How a kill of one run ended. */
export interface KillOutput extends KilledRun, RunAnswer {}

/** A run that replaces another one. */
export interface RestartOutput extends StartOutput, RunAnswer {
  /** The run that was stopped. */
  replaced: KilledRun;
}

/** A run with the request of another one. */
export interface RerunOutput extends StartOutput, RunAnswer {
  /** The run whose request it was. */
  of: string;
}

/** How several kills ended. */
export interface KillAllOutput {
  runs: KilledRun[];
}

/** Whether a run is paused. */
export interface PauseOutput extends RunAnswer {
  paused: boolean;
  /** false: it was so already. */
  changed: boolean;
}

/** A signal that was sent. */
export interface SignalOutput extends RunAnswer {
  signal: SendableSignal;
  /** The processes that got it. */
  pids: number[];
}

/** A run whose files are deleted. */
export interface RemoveOutput extends RunAnswer {
  removed: true;
  /** How its stop ended, with `force`; null: it had ended. */
  killed: KilledRun | null;
}

/** What became of bytes for the stdin of a run. */
export interface WriteOutput extends RunAnswer {
  /** Bytes taken: they reach the command in order and once, also when the daemon ends. */
  bytes: number;
  /** null: the command may not have read it yet. */
  delivered: true | null;
  /** Bytes kept for the command. */
  pending: number;
}

/** Whether stdin was closed. */
export interface CloseOutput extends RunAnswer {
  /** false: it was closed before. */
  closed: boolean;
}

/** The size of the terminal. */
export interface ResizeOutput extends RunAnswer {
  rows: number;
  columns: number;
}

/** Whether any run of a task is running. */
export interface IsActiveOutput {
  active: boolean;
  ids: string[];
}

/** The runs that have another owner now. */
export interface HandOverOutput {
  ids: string[];
}

/** Where the files of a run are. */
export interface InspectOutput extends RunAnswer {
  status: RunStatus;
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

/** A notice as one consumer is given it. */
export interface GivenNotice extends Omit<Notice, 'key' | 'offset'> {
  /** This consumer was given it before and has not acknowledged it. */
  repeat: boolean;
  /** This consumer, as a reader, has got the news from wait or poll already. */
  known: boolean;
}

/** Notices of runs. */
export interface NoticesOutput {
  notices: GivenNotice[];
  /** Acknowledge this number to be given only newer notices. */
  last: number;
  /** How many more there are. */
  more: number;
}

/** Orphans that the daemon has found. */
export interface OrphansOutput {
  orphans: Orphan[];
  watch: OrphanWatchStatistics;
}

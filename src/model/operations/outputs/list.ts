import type { InputKind, RunStatus } from '../../run/background.js';
import type { Estimate } from '../../run/estimate.js';
import type { Health } from '../../run/health.js';
import type { OutputLost } from '../../run/output-lost.js';
import type { Exit } from '../../run/run.js';
import type { SampleColumns } from '../../run/sample-points.js';

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
  /** The place that it runs in; absent: this machine. */
  on?: string;
  /** null: it was never seen running. */
  pid: number | null;
  startedAt: string;
  uptimeS: number;
  /** null: it has ended. */
  health: Health | null;
  /** Absent: it is not paused. */
  paused?: true;
  /** Since when its place cannot be reached; absent: it can be. */
  unreachableSince?: string;
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
  /** What its stdin is. */
  input: InputKind;
  /** What to do about its state, in one sentence; absent: nothing. */
  recommendation?: string;
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

/** The runs that have changed. */
export interface ChangesOutput {
  /** For the next call. */
  cursor: string;
  /** `runs` are all runs; false: those that have changed. */
  whole: boolean;
  runs: ListedRun[];
  /** Ids of runs that were forgotten. */
  removed: string[];
  /** Number of the newest notice. */
  lastNotice: number;
  /** What keeps the daemon from its work; null: nothing. */
  trouble: string | null;
}

/** Numbers of runs over time, in columns. */
export interface SamplesOutput {
  runs: RunSamples[];
}

/** Numbers of one run over time. */
export interface RunSamples extends SampleColumns {
  id: string;
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

import type { ProcessIdentity } from '../facts/identity.js';
import type { Finding, WhyAnswer } from '../verdict.js';
import type { AgentFacts } from './agent.js';
import type { BackgroundRecord } from './background.js';
import type { Estimate } from './estimate.js';
import type { Diagnosis, Health, HealthMetrics } from './health.js';
import type { OutputLost } from './output-lost.js';
import type { Receipt } from './receipt.js';

/** Source of an exit status. `observed`: from the kernel; `recorded`: by the shim that waited for it. */
export const provenances = ['observed', 'recorded', 'inferred', 'unknown'] as const;

export type Provenance = (typeof provenances)[number];

/** The end of a command. */
export interface Exit {
  /** As a shell reports it: 128 + N when signal N ended it; null: not known, never invented. */
  code: number | null;
  /** The signal that ended it, when that is proven; null: none, or not known. */
  signal: string | null;
  provenance: Provenance;
  /** Why Unstuck stopped it; absent: it did not, or only because it was asked to. */
  stopped?: Stop | undefined;
}

/** Why a run is over. */
export const outcomes = [
  'exited',
  'timeout',
  'idle-timeout',
  'stalled',
  'stuck',
  'interrupted',
  'not-started',
  'lost',
] as const;

/** Why a run is over. */
export type Outcome = (typeof outcomes)[number];

/** Outcomes of a run that Unstuck stopped by itself. */
export const stops = ['timeout', 'idle-timeout', 'stalled', 'stuck'] as const satisfies Outcome[];

export type Stop = (typeof stops)[number];

export type Stream = 'stdout' | 'stderr';

/** One file of output; `both` when the streams went through one pipe and their order is exact. */
export interface RunLog {
  file: string;
  stream: Stream | 'both';
  /** Bytes of the header before the first byte of output. */
  start: number;
}

/** run.json: the request and the identity of the run. */
export interface RunRecord {
  version: 1;
  id: string;
  label: string;
  /** Secrets masked. */
  command: string;
  cwd: string;
  startedAt: string;
  /** null: not running yet when this was written. */
  identity: ProcessIdentity | null;
  supervisor: ProcessIdentity | null;
  logs: RunLog[];
  /** null: it runs in the foreground, and its supervisor is `unstuck run`, or the program that tracks it. */
  background: BackgroundRecord | null;
  /** A program started the process itself and made it known with `track`: there is no shim and no output. */
  tracked?: true | undefined;
  /** Whether it adds to a history, and to which one, if a key was given. Absent: to that of its command. */
  history?: { isKept: boolean; key: string | null };
}

/** Progress as the command reports it. */
export interface Progress {
  /** `142/500`, `37%`. */
  text: string;
  /** 0 to 1; null: it counts without a total. */
  fraction: number | null;
  etaMs: number | null;
}

/** One heartbeat. */
export interface Heartbeat {
  label: string;
  elapsedMs: number;
  /** null: it has not printed anything yet. */
  lastOutputMs: number | null;
  line: string;
  /** Where it was printed; null: both streams go through one pipe, or nothing was printed. */
  lineStream: Stream | null;
  pid: number;
  programs: { name: string; count: number }[];
  cpuPercent: number;
  /** Memory, I/O, network; absent: not sampled yet. */
  metrics?: HealthMetrics;
  phase: string | null;
  progress: Progress | null;
  /** How far it has come; absent: not known. */
  estimate?: Estimate;
  /** unknown: no process information is available here. */
  health: Health | 'unknown';
  /** Parts of the tree that are proven stuck; absent: none. */
  stuckParts?: { name: string; pid: number; forMs: number | null }[];
  /** Time until stall detection by output is armed; 0: armed. */
  armInMs: number;
  /** Consecutive heartbeats with the same last line, and how many make a stall; 0: off. */
  same: number;
  samePulses: number;
  log: string | null;
  /** Facts of an agent; absent: not a known agent. */
  agent?: AgentFacts;
}

/** Settings of a project file that can end the command. */
export interface ProjectLimits {
  file: string;
  /** Values as written in a file. */
  settings: Record<string, unknown>;
  /** One line for the user. */
  message: string;
}

/** What happens in a run, one object per line in events.jsonl and with `run --json`. */
export type RunEvent = { at: string } & (
  | {
      kind: 'started';
      id: string;
      label: string;
      command: string;
      cwd: string;
      pid: number | null;
      log: string | null;
    }
  | { kind: 'output'; stream: Stream; text: string }
  | ({ kind: 'heartbeat' } & Heartbeat)
  | { kind: 'health'; diagnosis: Diagnosis }
  | { kind: 'needs-input'; diagnosis: Diagnosis }
  | { kind: 'finding'; finding: Finding }
  | { kind: 'part-stopped'; reason: string; receipt: Receipt }
  | { kind: 'stalled'; reason: string }
  | { kind: 'warning'; message: string }
  | ({ kind: 'project-settings' } & ProjectLimits)
  | { kind: 'signal'; signal: string; reason: string }
  | { kind: 'evidence'; files: string[] }
  | { kind: 'killed'; reason: string; receipt: Receipt }
  | {
      kind: 'exited';
      outcome: Outcome;
      exit: Exit;
      exitCode: number;
      elapsedMs: number;
      /** Only of a command that was run again: from 1. */
      attempt?: number;
      /** It passed after an attempt that failed. */
      flaky?: true;
    }
  | {
      kind: 'retry';
      /** The next attempt, from 1. */
      attempt: number;
      /** How many there may be. */
      attemptsMax: number;
      failed: FailedAttempt;
    }
);

/** A failed attempt, after which another one begins. */
export type RetryEvent = Extract<RunEvent, { kind: 'retry' }>;

/** A new state of health; `atMs` counts from the start. */
export interface HealthChange {
  atMs: number;
  health: Health;
  reason: string;
  /** Absent in reports of older versions. */
  metrics?: HealthMetrics;
}

/** An attempt that failed, of a command that was run again. */
export interface FailedAttempt
  extends Pick<
    RunReport,
    'id' | 'startedAt' | 'elapsedMs' | 'outcome' | 'exit' | 'exitCode' | 'lastLines' | 'files'
  > {
  /** `exit code 1`, `timed out after 10 min`. */
  status: string;
  /** How it ended and why, in one sentence. */
  reason: string;
  /** Path of its own report; null: it could not be kept. */
  report: string | null;
}

/** report.json: the final report, whatever the outcome. */
export interface RunReport {
  version: 1;
  id: string;
  label: string;
  command: string;
  cwd: string;
  startedAt: string;
  endedAt: string;
  elapsedMs: number;
  outcome: Outcome;
  /** Exit of the command. */
  exit: Exit;
  /** Exit code of `unstuck run` itself. */
  exitCode: number;
  /** Attempts before this one, which failed; absent: none. */
  attempts?: FailedAttempt[];
  /** It passed after an attempt that failed. */
  flaky?: true;
  /** The last diagnosis. */
  diagnosis: Diagnosis | null;
  /** What it was doing when it was stopped; null: it ended by itself. */
  why: WhyAnswer | null;
  receipt: Receipt | null;
  /** Processes that outlived the command and were left alone. */
  leftBehind: { pid: number; command: string }[];
  progress: Progress | null;
  phase: string | null;
  /** States of health over time. */
  history: HealthChange[];
  peak: { cpuPercent: number; residentBytes: number; processes: number };
  /** How long the command usually takes; null: not known, or it was too short to be compared. */
  usualMs: number | null;
  /**
   * The longest time that is known to be without output; time stopped does not count. null: it never started, or ended
   * after too few looks at its log.
   */
  longestSilenceMs: number | null;
  /** State of the agent at the end; absent: not a known agent. */
  agent?: AgentFacts;
  outputBytes: number;
  /** Absent: no loss of output is known. */
  outputLost?: OutputLost;
  /** The last lines it printed, control sequences removed. */
  lastLines: string[];
  /** Files that were kept: logs, evidence, stack dumps. */
  files: string[];
  warnings: string[];
}

/** Text for an unrecorded end: an exit code is never invented. */
export const endNotRecorded = 'its end was not recorded';

/** `exit 1`, `SIGKILL`, `SIGTERM; stopped at its time limit`. */
export function exitWords(exit: Exit | undefined): string {
  return `${statusWords(exit)}${stoppedWords(exit)}`;
}

function statusWords(exit: Exit | undefined): string {
  if (exit === undefined || (exit.code === null && exit.signal === null)) return 'exit unknown';
  const text = exit.signal ?? `exit ${exit.code}`;
  return exit.provenance === 'inferred' ? `${text} (inferred)` : text;
}

/** Words to go after the end of a run, with the reason why Unstuck stopped it; empty: it did not. */
export function stoppedWords(exit: Exit | undefined): string {
  return exit?.stopped === undefined ? '' : `; ${stopReasons[exit.stopped]}`;
}

export function stopOf(outcome: Outcome): Stop | undefined {
  return stops.find((stop) => stop === outcome);
}

/** Why Unstuck stopped a run. */
export const stopReasons: Record<Stop, string> = {
  timeout: 'stopped at its time limit',
  'idle-timeout': 'stopped after too long without output',
  stalled: 'stopped because its output did not go on',
  stuck: 'stopped because it was stuck',
};

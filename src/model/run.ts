import type { AgentFacts } from './agent.js';
import type { BackgroundRecord } from './background.js';
import type { Diagnosis, Health } from './health.js';
import type { ProcessIdentity } from './identity.js';
import type { OutputLost } from './output-lost.js';
import type { Receipt } from './receipt.js';
import type { Finding, WhyAnswer } from './verdict.js';

/** D7: how we know an exit status. `observed`: told by the kernel; `recorded`: by the shim that waited for it. */
export const provenances = ['observed', 'recorded', 'inferred', 'unknown'] as const;

export type Provenance = (typeof provenances)[number];

/** The end of a command. */
export interface Exit {
  /** As a shell reports it: 128 + N when signal N ended it; null: not known, never invented. */
  code: number | null;
  /** The signal that ended it, when that is proven; null: none, or not known. */
  signal: string | null;
  provenance: Provenance;
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

export type Outcome = (typeof outcomes)[number];

export type Stream = 'stdout' | 'stderr';

/** One file of output; `both` when the streams went through one pipe and their order is exact. */
export interface RunLog {
  file: string;
  stream: Stream | 'both';
  /** Bytes of the header before the first byte of output. */
  start: number;
}

/** run.json: what was asked, and who it is. */
export interface RunRecord {
  version: 1;
  id: string;
  label: string;
  /** Secrets masked. */
  command: string;
  cwd: string;
  startedAt: string;
  /** null: it was not running yet when this was written. */
  identity: ProcessIdentity | null;
  supervisor: ProcessIdentity | null;
  logs: RunLog[];
  /** null: it runs in the foreground, and its supervisor is `unstuck run`. */
  background: BackgroundRecord | null;
}

/** How far the command says it is: B7. */
export interface Progress {
  /** `142/500`, `37%`: as a person would write it. */
  text: string;
  /** 0 to 1; null: it counts, but does not say up to what. */
  fraction: number | null;
  etaMs: number | null;
}

/** B2: one pulse. */
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
  phase: string | null;
  progress: Progress | null;
  /** unknown: nothing can be read about processes here. */
  health: Health | 'unknown';
  /** Parts of the tree that are proven stuck; absent: none. */
  stuckParts?: { name: string; pid: number; forMs: number | null }[];
  /** Time until stall detection by output is armed; 0: it is (B5). */
  armInMs: number;
  /** Pulses in a row with the same last line, and how many make a stall; 0 of them: off (B6). */
  same: number;
  samePulses: number;
  log: string | null;
  /** C7; absent: it is no agent that we know. */
  agent?: AgentFacts;
}

/** Settings of a project file that can end the command. */
export interface ProjectLimits {
  file: string;
  /** As they are written in a file. */
  settings: Record<string, unknown>;
  /** One line for a person. */
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
  | { kind: 'exited'; outcome: Outcome; exit: Exit; exitCode: number; elapsedMs: number }
);

/** report.json: the end of the story, whatever the end was (B10). */
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
  /** Of the command. */
  exit: Exit;
  /** What `unstuck run` itself ended with. */
  exitCode: number;
  /** The last judgement. */
  diagnosis: Diagnosis | null;
  /** What it was doing when it was stopped; null: it ended by itself. */
  why: WhyAnswer | null;
  receipt: Receipt | null;
  /** Processes that outlived the command and were left alone. */
  leftBehind: { pid: number; command: string }[];
  progress: Progress | null;
  phase: string | null;
  /** Healths it went through. */
  history: { atMs: number; health: Health; reason: string }[];
  peak: { cpuPercent: number; residentBytes: number; processes: number };
  /** C7: where the agent was at the end; absent: it was none that we know. */
  agent?: AgentFacts;
  outputBytes: number;
  /** Absent: all it printed is in the log, as far as is known. */
  outputLost?: OutputLost;
  /** The last lines it printed, control sequences removed. */
  lastLines: string[];
  /** Files that were kept: logs, evidence, stack dumps. */
  files: string[];
  warnings: string[];
}

import type { Certainty, Finding, Verdict } from './verdict.js';

/** A3, best first. */
export const healths = ['healthy', 'suspicious', 'likely-stuck', 'confirmed-stuck'] as const;

export type Health = (typeof healths)[number];

/** A5: what a state of health means for whoever is told. */
export const severities = {
  healthy: 'info',
  suspicious: 'warning',
  'likely-stuck': 'error',
  'confirmed-stuck': 'critical',
} as const satisfies Record<Health, string>;

export type Severity = (typeof severities)[Health];

/** A2, A6, A8: every number the judgement over time depends on. */
export interface Thresholds {
  sampleMs: number;
  /** Length of the window whose activity counts. */
  activityMs: number;
  /** Without output for longer than this: suspicious. */
  silenceMs: number;
  /** likely-stuck for longer than this: high instead of medium. */
  escalateMs: number;
  /** likely-stuck for longer than this: confirmed-stuck. */
  confirmMs: number;
  /** Below this the tree is idle; 100 is one core. */
  cpuPercent: number;
  /** Fewer bytes read and written than this within the window: idle. */
  ioBytes: number;
  /** An established connection without a byte for longer than this is likely dead. */
  networkPatienceMs: number;
  /** So many samples in a row must prove it before it is said. */
  proofSamples: number;
}

/** A1: the whole tree at one tick. */
export interface TreeSample {
  /** Milliseconds of a clock that never jumps. */
  atMs: number;
  /** Since the last sample; 100 is one core. Children that came and went in between are counted. */
  cpuPercent: number;
  /** Read and written since the last sample; null: not ours to read. */
  ioBytes: number | null;
  /** Sent and received over TCP since the last sample; null: not known. */
  networkBytes: number | null;
  /** Time its threads were ready to run but got no CPU since the last sample, in milliseconds. */
  delayedMs: number;
  processes: number;
  threads: number;
  /** How many processes are in which state: R S D T Z and the rarer ones. */
  states: Record<string, number>;
  /** State of the command itself; null: it has ended. */
  leaderState: string | null;
  /** TCP connections by state; null: not known. */
  connections: Record<string, number> | null;
  /** null: not known. */
  openFiles: number | null;
  residentBytes: number;
  /** What file descriptor 0 of the command is: `/dev/null`, `pipe:[123]`; null: not known. */
  stdin: string | null;
}

/** What the judgement over time is told at one tick. */
export interface HealthTick {
  sample: TreeSample;
  /** Whether anything was printed since the last tick. */
  printed: boolean;
  /** From a snapshot taken at this tick; null: none was taken. */
  verdict: Verdict | null;
  /** Stuck parts of the tree in that snapshot; null: none was taken. */
  findings: readonly Finding[] | null;
  /** Processes of the tree. */
  living: { has(pid: number): boolean };
  /** Somebody could answer a question: a person at the terminal, a client that may write (A11). */
  canAnswer: boolean;
}

/** The numbers a diagnosis rests on. */
export interface HealthNumbers {
  /** Without output, the time it was suspended or stopped not counted. */
  silentMs: number;
  /** Over the window of activity. */
  cpuPercent: number;
  ioBytes: number | null;
  networkBytes: number | null;
  /** Ready to run but kept from the CPU, over the window of activity. */
  delayedMs: number;
  /** How long it has been likely-stuck by silence. */
  stalledMs: number;
  /** How long a network wait has gone without a byte. */
  networkQuietMs: number;
  /** In the window of activity. */
  samples: number;
  processes: number;
  threads: number;
  states: Record<string, number>;
  connections: Record<string, number> | null;
  openFiles: number | null;
  residentBytes: number;
  stdin: string | null;
}

/** A5: the same object in the library, `--json`, events, reports and for agents. */
export interface Diagnosis {
  health: Health;
  confidence: Certainty;
  severity: Severity;
  /** One sentence. */
  reason: string;
  /** True only when it is proven that it will not go on. */
  safeToKill: boolean;
  /** What to do, in one sentence; empty: nothing. */
  recommendation: string;
  /** Waits for an answer that somebody can give: worth a notice, no fault (A11). */
  needsAnswer: boolean;
  numbers: HealthNumbers;
  /** The last one taken since it last printed; null: none was needed. */
  verdict: Verdict | null;
  /** Parts of the tree that are proven to be stuck while the rest may go on. */
  findings: Finding[];
  evidence: string[];
}

import type { Certainty, Finding, Verdict } from '../verdict.js';

/** Best first. */
export const healths = ['healthy', 'suspicious', 'likely-stuck', 'confirmed-stuck'] as const;

/** The state over time. */
export type Health = (typeof healths)[number];

/** Severity of each state of health. */
export const severities = {
  healthy: 'info',
  suspicious: 'warning',
  'likely-stuck': 'error',
  'confirmed-stuck': 'critical',
} as const satisfies Record<Health, string>;

export type Severity = (typeof severities)[Health];

/** Every number that the judgement over time depends on. */
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
  /** Consecutive samples required before it is reported. */
  proofSamples: number;
}

/** The whole tree at one tick. */
export interface TreeSample {
  /** Milliseconds of a monotonic clock. */
  atMs: number;
  /** Since the last sample; 100 is one core. Includes children that started and ended in between. */
  cpuPercent: number;
  /** Read and written since the last sample; null: not readable. */
  ioBytes: number | null;
  /** Sent and received over TCP since the last sample; null: not known. */
  networkBytes: number | null;
  /** Time its threads were runnable but not running since the last sample, in milliseconds. */
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

/**
 * What ends a silence. `io`: any read or write, for a process of another program, whose output cannot be told from
 * its other files.
 */
export type SignOfLife = 'output' | 'io';

/** Input of the judgement over time at one tick. */
export interface HealthTick {
  sample: TreeSample;
  /** Whether anything was printed since the last tick, or whatever `sign` counts instead. */
  printed: boolean;
  /** Default: output. */
  sign?: SignOfLife | undefined;
  /** From a snapshot taken at this tick; null: none was taken. */
  verdict: Verdict | null;
  /** Stuck parts of the tree in that snapshot; null: none was taken. */
  findings: readonly Finding[] | null;
  /** Processes of the tree. */
  living: { has(pid: number): boolean };
  /** A user at a terminal or a client can answer a question. */
  canAnswer: boolean;
}

/** The numbers a diagnosis rests on. */
export interface HealthNumbers {
  /** Time without output; time suspended or stopped is not counted. */
  silentMs: number;
  /** Over the activity window. */
  cpuPercent: number;
  ioBytes: number | null;
  networkBytes: number | null;
  /** Runnable but not running, over the activity window. */
  delayedMs: number;
  /** How long it has been likely-stuck by silence. */
  stalledMs: number;
  /** How long a network wait has gone without a byte. */
  networkQuietMs: number;
  /** Samples in the activity window. */
  samples: number;
  processes: number;
  threads: number;
  states: Record<string, number>;
  connections: Record<string, number> | null;
  openFiles: number | null;
  residentBytes: number;
  stdin: string | null;
}

/** What the tree uses: I/O and network over the activity window, the rest now. */
export type HealthMetrics = Pick<
  HealthNumbers,
  'cpuPercent' | 'ioBytes' | 'networkBytes' | 'residentBytes' | 'processes' | 'threads' | 'openFiles'
>;

export function metricsOf(numbers: HealthNumbers): HealthMetrics {
  const { cpuPercent, ioBytes, networkBytes, residentBytes, processes, threads, openFiles } = numbers;
  return { cpuPercent, ioBytes, networkBytes, residentBytes, processes, threads, openFiles };
}

/** The same object in the library, `--json`, events and reports. */
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
  /** It waits for an answer that a user or client can give: worth a notice, not a failure. */
  needsAnswer: boolean;
  numbers: HealthNumbers;
  /** The last verdict since its last output; null: none was needed. */
  verdict: Verdict | null;
  /** Parts of the tree that are proven to be stuck while the rest may go on. */
  findings: Finding[];
  evidence: string[];
}

export const presetNames = ['conservative', 'aggressive', 'production'] as const;

export type PresetName = (typeof presetNames)[number];

export const defaultPreset: PresetName = 'production';

/** Values that all presets share. */
const common = {
  sampleMs: 5_000,
  activityMs: 60_000,
  confirmMs: 600_000,
  networkPatienceMs: 600_000,
  proofSamples: 3,
};

/** Any value can be overridden. */
export const presets: Record<PresetName, Thresholds> = {
  conservative: { ...common, silenceMs: 600_000, cpuPercent: 0.5, ioBytes: 10_240, escalateMs: 120_000 },
  aggressive: { ...common, silenceMs: 300_000, cpuPercent: 1, ioBytes: 1_024, escalateMs: 60_000 },
  production: { ...common, silenceMs: 300_000, cpuPercent: 0.5, ioBytes: 5_120, escalateMs: 90_000 },
};

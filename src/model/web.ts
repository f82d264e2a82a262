import type { Capability } from './facts/capability.js';
import type { FleetList } from './fleet.js';
import type { ChangesOutput } from './operations/outputs.js';
import type { Orphan, OrphanKill } from './orphan.js';
import type { PastRun } from './run/past-run.js';
import type { RunEvent, RunReport } from './run/run.js';
import type { WhyAnswer } from './verdict.js';

/** What the page and its server say to each other, beside the operations. */

/** First event of the stream. */
export interface WebHello {
  version: string;
  readOnly: boolean;
  /** Clock of the server. */
  nowMs: number;
  host: string;
  /** The fleet that this machine has joined or asks, and its name there; null: there is none, or it only asks. */
  fleet: { name: string; host: string | null } | null;
}

/** The events of the stream, by name. */
export interface WebEvents {
  /** Comes again now and then. */
  hello: WebHello;
  runs: Omit<ChangesOutput, 'cursor'>;
  /** The daemon does not answer. */
  away: { sinceMs: number; reason: string };
  /** It answers again. */
  back: { awayMs: number };
}

/** A process of this machine. */
export interface ListedProcess {
  pid: number;
  parent: number;
  name: string;
  /** Secrets masked; the name where there are no arguments. */
  command: string;
  state: string;
  ageMs: number;
  uid: number | null;
}

/** What is known about a run beside its present state. */
export interface RunStory {
  /** Oldest first; of very many only the last. */
  events: RunEvent[];
  /** null: there is none yet. */
  report: RunReport | null;
  /** Evidence that was kept with the run. */
  files: { name: string; bytes: number }[];
}

export interface WebHistory {
  key: string;
  command: string;
  project: string | null;
  runs: PastRun[];
  usual: { durationMs: { median: number; p95: number }; longestSilenceMs: number | null } | null;
  trend: string | null;
  outliers: string[];
}

/** What the page asks its server beside the operations. */
export interface WebCalls {
  why: { input: { id?: string; pid?: number }; output: WhyAnswer };
  story: { input: { id: string }; output: RunStory };
  /** One of the files of a story. */
  file: { input: { id: string; name: string }; output: { text: string; cut: boolean } };
  processes: { input: Record<string, never>; output: { processes: ListedProcess[]; uid: number } };
  findOrphans: { input: Record<string, never>; output: { orphans: Orphan[] } };
  /** Stops confirmed orphans; `force`: suspected ones too. `dryRun`: says what would be stopped. */
  killOrphans: { input: { force?: boolean; dryRun?: boolean }; output: OrphanKill };
  /** Machines and runs of the fleet. */
  fleet: { input: Record<string, never>; output: FleetList };
  histories: { input: Record<string, never>; output: { histories: WebHistory[] } };
  doctor: {
    input: Record<string, never>;
    output: {
      machine: { kernel: string; arch: string; node: string; probe: string; user: string };
      capabilities: Capability[];
      complete: boolean;
      summary: string;
    };
  };
}

export type WebCallName = keyof WebCalls;

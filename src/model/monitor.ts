import type { Diagnosis, Health, HealthMetrics } from './run/health.js';
import type { HealthChange } from './run/run.js';
import type { Finding } from './verdict.js';

/** Reports the health of a process that another program started. Sends no signal. */
export interface ProcessMonitor {
  readonly pid: number;
  readonly label: string;
  /** As last reported; null: none yet. */
  readonly diagnosis: Diagnosis | null;
  /** States of health over time. */
  readonly history: readonly HealthChange[];
  /** Resolves when the process has ended, or the monitor was stopped. */
  readonly done: Promise<'ended' | 'stopped'>;
  /** Reports activity that the kernel does not show: the time of silence starts anew. */
  activity(): void;
  /** Ends the monitor. Nothing is reported after this has returned. The process goes on. */
  stop(): void;
  [Symbol.asyncDispose](): Promise<void>;
}

/** What happens to a monitored process, one object per line with `unstuck watch --json`. */
export type MonitorEvent = { at: string } & (
  | { kind: 'started'; pid: number; label: string; command: string }
  | ({ kind: 'heartbeat' } & MonitorHeartbeat)
  | { kind: 'health'; diagnosis: Diagnosis }
  | { kind: 'needs-input'; diagnosis: Diagnosis }
  | { kind: 'finding'; finding: Finding }
  /** Without an exit code: only the parent of a process learns it. */
  | { kind: 'ended'; monitoredMs: number; health: Health | null }
);

/** The state of the tree at an interval. */
export interface MonitorHeartbeat {
  pid: number;
  label: string;
  /** Since the monitor started. */
  monitoredMs: number;
  programs: { name: string; count: number }[];
  cpuPercent: number;
  residentBytes: number;
  /** I/O, network, threads, files. */
  metrics: HealthMetrics;
  health: Health;
  reason: string;
  /** Parts of the tree that are proven stuck; absent: none. */
  stuckParts?: { name: string; pid: number; forMs: number | null }[];
}

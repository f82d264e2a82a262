import { readVariables } from './read-variables.js';

/** Settings of a daemon, by variables only: a daemon belongs to no project and no command. */
const rows = {
  idleMs: { key: 'DAEMON_IDLE', kind: 'duration', default: '60s' },
  keepMax: { key: 'KEEP_RUNS', kind: 'number', min: 1, max: 100_000, whole: true, default: 64 },
  keepMs: { key: 'KEEP_FOR', kind: 'duration', default: '30m' },
  diskBytesMax: { key: 'DISK_CAP', kind: 'size', default: 10 * 1024 ** 3 },
  orphansEveryMs: { key: 'ORPHANS_EVERY', kind: 'duration', default: '60s' },
  orphansAfterMs: { key: 'ORPHANS_AFTER', kind: 'duration', default: '30m' },
  orphansKill: { key: 'ORPHANS_KILL', kind: 'choice', choices: ['off', 'confirmed'], default: 'off' },
} as const;

export interface DaemonSettings {
  /** An idle daemon ends after this time; 0: never. */
  idleMs: number;
  /** Number of ended runs to keep. */
  keepMax: number;
  /** How long ended runs are kept. */
  keepMs: number;
  /** Disk space for the output of all runs together. */
  diskBytesMax: number;
  /** Interval of checks for orphans; 0: no checks. */
  orphansEveryMs: number;
  /** Minimum age of an orphan to be reported. */
  orphansAfterMs: number;
  /** Which orphans are stopped automatically. */
  orphansKill: 'off' | 'confirmed';
}

export const daemonVariables = Object.values(rows).map(({ key }) => `UNSTUCK_${key}`);

/** Throws one Failure that names every invalid variable. */
export function daemonSettings(env: NodeJS.ProcessEnv): DaemonSettings {
  return readVariables<DaemonSettings>(rows, env);
}

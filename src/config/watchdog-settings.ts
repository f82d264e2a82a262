import { readVariables } from './read-variables.js';

/** Settings of a watchdog from outside the program that starts it. */
const rows = {
  enabled: { key: 'WATCHDOG_ENABLED', kind: 'boolean', default: true },
  idleTimeoutMs: { key: 'WATCHDOG_TIMEOUT', kind: 'duration', minMs: 1, default: '180s' },
} as const;

export interface WatchdogSettings {
  /** false: no process is ever ended. */
  enabled: boolean;
  /** Default when the caller gives none. */
  idleTimeoutMs: number;
}

/** Throws one Failure that names every invalid variable. */
export function watchdogSettings(env: NodeJS.ProcessEnv): WatchdogSettings {
  return readVariables<WatchdogSettings>(rows, env);
}

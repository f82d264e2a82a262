import type { WatcherOptions } from '../../src/watchdog/watcher.js';

export function watcherOptions(given: Partial<WatcherOptions> = {}): WatcherOptions {
  return {
    pollIntervalMs: 10_000,
    idleTimeoutMs: 180_000,
    graceMs: 5_000,
    judge: false,
    maxIdleMs: Number.POSITIVE_INFINITY,
    label: null,
    onEvent: null,
    hasMoved: null,
    ...given,
  };
}

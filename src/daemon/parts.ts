import { operations } from '../control/operations/table.js';
import { Registry } from '../supervise/background/registry.js';
import type { DaemonParts } from './run-daemon.js';

/** What the daemon of a user works with. */
export const parts: DaemonParts = {
  operations,
  openRegistry: (home, retention) => Registry.open(home, retention),
};

import { operations } from '../control/operations/table.js';
import { Registry } from '../registry/registry.js';
import type { DaemonParts } from './run-daemon.js';

/** Parts of the real daemon; tests use others. */
export const parts: DaemonParts = {
  operations,
  openRegistry: (home, retention) => Registry.open(home, retention),
};

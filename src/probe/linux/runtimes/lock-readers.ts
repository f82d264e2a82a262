import type { ProcessFacts } from '../../../model/facts/snapshot.js';
import type { Memory } from '../proc/mem.js';
import type { ProcDir } from '../proc/proc-dir.js';
import type { CpuBudget } from './cpu-budget.js';
import { type Monitors, readMonitors } from './java/monitors.js';
import { readPythonLocks } from './python/locks.js';

/** Locks that threads of a process wait for, where the memory of its runtime names their owners. */
export function readLocks(
  { runtime, threads }: ProcessFacts,
  dir: ProcDir,
  memory: Memory,
  budget: CpuBudget,
): Monitors {
  if (runtime === 'java') return readMonitors(dir, memory, threads);
  return runtime === 'python' ? readPythonLocks(dir, memory, threads, budget) : new Map();
}

import { isAbsent } from '../../model/facts/absence.js';
import { readRow } from '../../probe/processes.js';

/** The agent that runs a hook, and the begin of the hook. */
export interface CallingAgent {
  pid: number;
  startTicks: number;
  /** When the agent began the hook: its tool starts later. In clock ticks since boot. */
  hookTicks: number;
}

const shells = /^(sh|bash|dash|zsh|fish|ksh|mksh|ash|busybox)$/;
const stepsMax = 16;

/** The first process above this one that is not a shell; null: it cannot be read. */
export function callingAgent(pid = process.pid): CallingAgent | null {
  let row = readRow(pid);
  for (let step = 0; step < stepsMax && !isAbsent(row); step += 1) {
    const above = readRow(row.parent);
    if (isAbsent(above) || above.pid <= 1) return null;
    if (!shells.test(above.name))
      return { pid: above.pid, startTicks: above.startTicks, hookTicks: row.startTicks };
    row = above;
  }
  return null;
}

import { isAbsent } from '../../model/facts/absence.js';
import { readLink } from '../../probe/machine.js';
import { readChildren, readRow } from '../../probe/processes.js';

/** Whether an agent has a child that leads a session and started since, as the tools of all known agents do. */
export function hasToolProcess(agent: number, startedTicks: number): boolean {
  const children = readChildren(agent);
  // What cannot be read may be there.
  if (isAbsent(children)) return children.absent !== 'gone';
  return children.some((pid) => {
    const row = readRow(pid);
    return isAbsent(row) ? row.absent !== 'gone' : row.session === pid && row.startTicks >= startedTicks;
  });
}

/** The agent has given the tool a terminal: its model can type on it. */
export function holdsTerminal(root: number): boolean {
  const link = readLink(`/proc/${root}/fd/0`);
  return typeof link === 'string' && /^\/dev\/(pts\/|tty)/.test(link);
}

import { isAbsent } from '../../model/facts/absence.js';
import { readLink } from '../../probe/machine.js';
import { programName, readChildren, readRow } from '../../probe/processes.js';

export interface Drain {
  pid: number;
  startTicks: number;
  /** The file it writes to; empty: not known. */
  target: string;
}

/** The cats of the shim. They are in the shim's session; the command is not. */
export function drainsOf(shim: number): Drain[] {
  const drains: Drain[] = [];
  const queue = [shim];
  for (let pid = queue.shift(); pid !== undefined; pid = queue.shift()) {
    const children = readChildren(pid);
    for (const child of isAbsent(children) ? [] : children) {
      const row = readRow(child);
      if (isAbsent(row) || row.session !== shim) continue;
      queue.push(child);
      if (programName(child) !== 'cat') continue;
      const target = readLink(`/proc/${child}/fd/1`);
      drains.push({ pid: child, startTicks: row.startTicks, target: isAbsent(target) ? '' : target });
    }
  }
  return drains;
}

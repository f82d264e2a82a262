import fs from 'node:fs';
import { isAbsent } from '../../model/facts/absence.js';
import type { ListedProcess } from '../../model/web.js';
import { ageMs } from '../../probe/machine.js';
import { bootId, commandLineOf, readRow } from '../../probe/processes.js';

/** The processes of this machine, kernel threads left out. */
export function listProcesses(): ListedProcess[] {
  const boot = bootId();
  return fs.readdirSync('/proc').flatMap((name): ListedProcess[] => {
    if (!/^\d+$/.test(name)) return [];
    const pid = Number(name);
    const row = readRow(pid);
    if (isAbsent(row) || row.kernelThread) return [];
    const { startTicks, parent, state } = row;
    const age = ageMs({ bootId: boot, pid, startTicks });
    return [
      {
        pid,
        parent,
        name: row.name,
        command: commandLineOf(pid) ?? row.name,
        state,
        ageMs: age ?? 0,
        uid: ownerOf(pid),
      },
    ];
  });
}

function ownerOf(pid: number): number | null {
  return fs.statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid ?? null;
}

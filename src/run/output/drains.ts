import { isAbsent } from '../../model/facts/absence.js';
import type { Stream } from '../../model/run/run.js';
import { readLink } from '../../probe/machine.js';
import { commandLineOf, programName, readChildren, readRow, waitsForInput } from '../../probe/processes.js';
import { createSender } from '../stop/send-signal.js';

export interface Drain {
  pid: number;
  startTicks: number;
  name: 'cat' | 'tee';
  /** Ends with the file it writes to; empty: not known. */
  target: string;
}

interface Part {
  pid: number;
  startTicks: number;
  /** The shim waits for it, and it has started nothing itself. */
  isLast: boolean;
}

/** The processes of the shim. They are in its session; the command is not. */
function partsOf(shim: number): Part[] {
  const parts: Part[] = [];
  const add = (parent: number): number => {
    const children = readChildren(parent);
    let count = 0;
    for (const pid of isAbsent(children) ? [] : children) {
      const row = readRow(pid);
      if (isAbsent(row) || row.session !== shim) continue;
      count += 1;
      parts.push({ pid, startTicks: row.startTicks, isLast: add(pid) === 0 });
    }
    return count;
  };
  add(shim);
  return parts;
}

function drainName(pid: number): 'cat' | 'tee' | null {
  const name = programName(pid);
  return name === 'cat' || name === 'tee' ? name : null;
}

/** The cats (or tees) of the shim. */
export function drainsOf(shim: number): Drain[] {
  return partsOf(shim).flatMap(({ pid, startTicks }) => {
    const name = drainName(pid);
    return name === null ? [] : [{ pid, startTicks, name, target: targetOf(pid, name) }];
  });
}

/**
 * The drains wait for more, so all that was printed has gone through them. If the command has ended, other processes
 * hold its output open. false: not proven.
 */
export function areDrainsIdle(shim: number): boolean {
  const last = partsOf(shim).filter(({ isLast }) => isLast);
  return last.length > 0 && last.every(({ pid }) => drainName(pid) !== null && waitsForInput(pid));
}

/** tee has its log as the last argument. */
function targetOf(pid: number, name: 'cat' | 'tee'): string {
  if (name === 'tee') return commandLineOf(pid) ?? '';
  const target = readLink(`/proc/${pid}/fd/1`);
  return isAbsent(target) ? '' : target;
}

/**
 * Ends the drain of one stream of the command (by SIGUSR1, as the shim expects it), so that the next write meets a
 * broken pipe. `command | head` has the same effect on a command.
 */
export function stopDraining(shim: number, stream: Stream): void {
  const send = createSender(shim);
  const other = stream === 'stdout' ? 'stderr.log' : 'stdout.log';
  for (const drain of drainsOf(shim)) if (!drain.target.endsWith(other)) send(drain, 'SIGUSR1');
}

import { isAbsent } from '../../../model/facts/absence.js';
import { readText } from '../proc/proc-file.js';
import { parseSyscall } from '../proc/syscall.js';
import { syscallNames } from '../proc/syscall-names.js';

/** Calls whose first argument is the descriptor that is read. */
const reading: ReadonlySet<string> = new Set(['read', 'splice']);

/** Whether the process is blocked in a read of its stdin, so that nothing is there to read; false: not proven. */
export function waitsForInput(pid: number): boolean {
  const text = readText(`/proc/${pid}/syscall`);
  const call = isAbsent(text) ? null : parseSyscall(text);
  if (call?.at !== 'call' || call.args[0] !== 0n) return false;
  return reading.has(syscallNames(process.arch)?.get(call.number) ?? '');
}

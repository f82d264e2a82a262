import { isAbsent } from '../../model/absence.js';
import { readText } from './proc-file.js';

/** Timers of the kernel with the names of their functions; a kernel without names prints addresses. */
const named = /, [a-z_]\w*, S:/;

/**
 * Whether some process of this machine has an alarm (setitimer or alarm), from /proc/timer_list, which is root's. It
 * does not say which process. null: cannot be told. In a container an empty file may stand in its place.
 */
export function alarmsIn(timerList: string): boolean | null {
  if (!timerList.startsWith('Timer List Version') || !named.test(timerList)) return null;
  return /\bit_real_fn\b/.test(timerList);
}

export function readAlarms(): boolean | null {
  const text = readText('/proc/timer_list');
  return isAbsent(text) ? null : alarmsIn(text);
}

import { isAbsent } from '../model/facts/absence.js';
import { readText } from '../probe/machine.js';

/**
 * Our own umask. process.umask() would clear it for a moment, since the system call that reads it also sets it.
 * undefined: kernels before 4.7 do not report it.
 */
export function ownUmask(): number | undefined {
  const status = readText('/proc/self/status');
  const digits = isAbsent(status) ? undefined : /^Umask:\s*([0-7]{1,4})$/m.exec(status)?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 8);
}

import { isAbsent } from '../model/absence.js';
import { readText } from '../probe/linux/proc-file.js';

/**
 * What new files of ours do not let others do. process.umask() would open them to everybody for a moment, since the
 * system call that tells it also sets it. undefined: a kernel before 4.7 does not say.
 */
export function ownUmask(): number | undefined {
  const status = readText('/proc/self/status');
  const digits = isAbsent(status) ? undefined : /^Umask:\s*([0-7]{1,4})$/m.exec(status)?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 8);
}

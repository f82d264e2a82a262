import { readBytes } from './proc-file.js';

/** How supervise/start-shim.ts starts the shim. */
const shimWords = Buffer.from('-c\0eval "$UNSTUCK_SHIM"\0unstuck\0');

function isShim(pid: number): boolean {
  const bytes = readBytes(`/proc/${pid}/cmdline`);
  return Buffer.isBuffer(bytes) && bytes.includes(shimWords);
}

/** Of the ancestors of a process, nearest first, those that started a shim above it: Unstuck's own supervisors. */
export function relaysAmong(pid: number, ancestors: readonly number[]): number[] {
  const shims = [pid, ...ancestors].map(isShim);
  return ancestors.filter((_, index) => shims[index] === true && shims[index + 1] === false);
}

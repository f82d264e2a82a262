import { readBytes } from '../proc/proc-file.js';

/** How run/launch/start-shim.ts starts the shim. */
const shimWords = Buffer.from('-c\0eval "$UNSTUCK_SHIM"\0unstuck\0');

/** Those that a shim runs in. */
const shells = /^(sh|dash|bash|busybox|ash)$/;

function isShim(pid: number): boolean {
  const bytes = readBytes(`/proc/${pid}/cmdline`);
  return Buffer.isBuffer(bytes) && bytes.includes(shimWords);
}

/** Of the processes of a tree those that started a shim: Unstuck's own supervisors inside of it. */
export function supervisorsIn(tree: readonly { pid: number; parent: number; name: string }[]): number[] {
  const shims = new Map(
    tree.filter(({ name, pid }) => shells.test(name) && isShim(pid)).map(({ pid, parent }) => [pid, parent]),
  );
  const inTree = new Set(tree.map(({ pid }) => pid));
  const parents = [...shims.values()].filter((parent) => inTree.has(parent) && !shims.has(parent));
  return [...new Set(parents)];
}

/** Of the ancestors of a process, nearest first, those that started a shim above it: Unstuck's own supervisors. */
export function relaysAmong(pid: number, ancestors: readonly number[]): number[] {
  const shims = [pid, ...ancestors].map(isShim);
  return ancestors.filter((_, index) => shims[index] === true && shims[index + 1] === false);
}

import { readBytes } from '../proc/proc-file.js';

/** How run/launch/start-shim.ts starts the shim. */
const shimWords = Buffer.from('-c\0eval "$UNSTUCK_SHIM"\0unstuck\0');

/** Shells that a shim runs in. */
const shells = /^(sh|dash|bash|busybox|ash)$/;

function isShim(pid: number): boolean {
  const bytes = readBytes(`/proc/${pid}/cmdline`);
  return Buffer.isBuffer(bytes) && bytes.includes(shimWords);
}

/** The processes of a tree that started a shim: Unstuck's own supervisors inside it. */
export function supervisorsIn(tree: readonly { pid: number; parent: number; name: string }[]): number[] {
  const shims = new Map(
    tree.filter(({ name, pid }) => shells.test(name) && isShim(pid)).map(({ pid, parent }) => [pid, parent]),
  );
  const inTree = new Set(tree.map(({ pid }) => pid));
  const parents = [...shims.values()].filter((parent) => inTree.has(parent) && !shims.has(parent));
  return [...new Set(parents)];
}

/** The ancestors of a process that started a shim above it, nearest first: Unstuck's own supervisors. */
export function relaysAmong(pid: number, ancestors: readonly number[]): number[] {
  const shims = [pid, ...ancestors].map(isShim);
  return ancestors.filter((_, index) => shims[index] === true && shims[index + 1] === false);
}

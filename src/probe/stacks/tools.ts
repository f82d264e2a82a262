import { readRights } from '../linux/doctor/rights.js';
import type { StackTarget } from './target.js';

/** A program that prints the stacks of a running process. */
export interface StackTool {
  name: 'py-spy' | 'jstack' | 'gdb';
  /** The program goes on meanwhile and prints nothing about it. */
  isQuiet: boolean;
  fits(target: StackTarget): boolean;
  args(pid: number): string[];
  /** A successful dump contains this. */
  shows: RegExp;
  /** Files that the tool leaves behind when it is killed. */
  residue(target: StackTarget): string[];
}

const quitMask = 1n << 2n;
const framesMax = 100;

/** A thread in D cannot be stopped, and a second tracer is refused: a debugger would only wait. */
function isTraceable({ states, tracer }: StackTarget): boolean {
  const { yama, tracer: mayTrace } = readRights();
  const allowed = mayTrace ? yama !== 3 : yama === null || yama === 0;
  return allowed && tracer === 0 && states !== '' && !/[DZX]/.test(states);
}

/**
 * Best first: for each process the first tool that fits and succeeds. `kill -QUIT` is not listed, because it prints
 * into the program's own output (docs/decisions/0005); Node's inspector is used only with --stacks ask
 * (docs/decisions/0025).
 */
export const stackTools: readonly StackTool[] = [
  {
    name: 'py-spy',
    isQuiet: false,
    fits: (target) => target.runtime === 'python' && isTraceable(target),
    args: (pid) => ['dump', '--pid', String(pid)],
    shows: /^Thread /m,
    residue: () => [],
  },
  {
    // jstack sends SIGQUIT: only where the runtime handles that, and runs to answer.
    name: 'jstack',
    isQuiet: true,
    fits: ({ runtime, caught, states }) =>
      runtime === 'java' && (BigInt(`0x${caught}`) & quitMask) !== 0n && !/[DTtZX]/.test(states),
    args: (pid) => ['-l', String(pid)],
    shows: /^Full thread dump/m,
    residue: ({ pid, innerPid }) =>
      ['cwd', 'root/tmp'].map((place) => `/proc/${pid}/${place}/.attach_pid${innerPid}`),
  },
  {
    name: 'gdb',
    isQuiet: false,
    fits: isTraceable,
    // No start-up files: they may hold anything, and belong to the user who called Unstuck.
    args: (pid) => ['-nx', '-nh', '-batch', '-p', String(pid), '-ex', `thread apply all bt ${framesMax}`],
    shows: /^#0 /m,
    residue: () => [],
  },
];

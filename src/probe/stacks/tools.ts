import fs from 'node:fs';
import path from 'node:path';
import { readRights } from '../linux/doctor/rights.js';
import { attachJava, canAttachJava } from './java/attach.js';
import { runTool, type ToolLimits, type ToolOutput } from './run-tool.js';
import type { StackSubject, StackTarget } from './target.js';

/** A way to get the stacks of a running process. */
export interface StackTool {
  name: 'py-spy' | 'jstack' | 'gdb';
  /** The program goes on meanwhile and prints nothing about it. */
  isQuiet: boolean;
  fits(target: StackTarget): boolean;
  /** null: it is not installed, or not possible here. */
  dump(subject: StackSubject, limits: ToolLimits): Promise<ToolOutput | null>;
  /** A successful dump contains this. */
  shows: RegExp;
}

const framesMax = 100;

/** A thread in D cannot be stopped, and a second tracer is refused: a debugger would only wait. */
function isTraceable({ states, tracer }: StackTarget): boolean {
  const { yama, tracer: mayTrace } = readRights();
  const allowed = mayTrace ? yama !== 3 : yama === null || yama === 0;
  return allowed && tracer === 0 && states !== '' && !/[DZX]/.test(states);
}

/** The path of a program, or null. A relative entry in PATH means something else in every directory: it is ignored. */
function findOnPath(name: string, env: NodeJS.ProcessEnv = process.env): string | null {
  for (const place of (env.PATH ?? '').split(':').filter(path.isAbsolute)) {
    const file = path.join(place, name);
    try {
      fs.accessSync(file, fs.constants.X_OK);
      if (fs.statSync(file).isFile()) return file;
    } catch {
      // The program is not in this directory.
    }
  }
  return null;
}

function byProgram(name: StackTool['name'], args: (pid: number) => string[]): StackTool['dump'] {
  return async ({ target }, limits) => {
    const file = findOnPath(name);
    return file === null ? null : runTool(file, args(target.pid), limits);
  };
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
    dump: byProgram('py-spy', (pid) => ['dump', '--pid', String(pid)]),
    shows: /^Thread /m,
  },
  {
    // The virtual machine itself is asked, with the protocol of jstack: no JDK is needed.
    name: 'jstack',
    isQuiet: true,
    fits: canAttachJava,
    dump: attachJava,
    shows: /^Full thread dump/m,
  },
  {
    name: 'gdb',
    isQuiet: false,
    fits: isTraceable,
    // No start-up files: they may hold anything, and belong to the user who called Unstuck.
    dump: byProgram('gdb', (pid) => [
      ...['-nx', '-nh', '-batch', '-p', String(pid)],
      ...['-ex', `thread apply all bt ${framesMax}`],
    ]),
    shows: /^#0 /m,
  },
];

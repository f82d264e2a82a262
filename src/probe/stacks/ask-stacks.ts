import { isAbsent } from '../../model/facts/absence.js';
import type { ProcessIdentity } from '../../model/facts/identity.js';
import type { ProcessStacks } from '../../model/facts/stack.js';
import { ProcDir } from '../linux/proc/proc-dir.js';
import { askTool } from './dump-stacks.js';
import { askNode, canAskNode } from './node/ask-node.js';
import { parseDump } from './parse-dump.js';
import { isStill, readTarget } from './target.js';
import { stackTools } from './tools.js';

/**
 * `quiet`: only tools that the program does not notice and prints nothing about; `ask`: also tools that open its
 * debugger.
 */
export type AskLevel = 'quiet' | 'ask';

const processesMax = 6;

/**
 * Stacks that cannot be read from memory, requested from the runtimes of these processes. Each is asked in turn, within
 * the time.
 */
export async function askStacks(
  processes: readonly ProcessIdentity[],
  level: AskLevel,
  totalMs: number,
): Promise<ProcessStacks[]> {
  const deadline = performance.now() + totalMs;
  const found: ProcessStacks[] = [];
  for (const identity of processes) {
    if (performance.now() >= deadline || found.length === processesMax) break;
    const dir = ProcDir.open(identity.pid);
    if (isAbsent(dir)) continue;
    try {
      const stacks = await askOne(identity, dir, level, deadline);
      if (stacks !== null && isStill(dir, identity)) found.push(stacks);
      if (stacks?.test !== undefined) break;
    } finally {
      dir.close();
    }
  }
  return found;
}

async function askOne(
  identity: ProcessIdentity,
  dir: ProcDir,
  level: AskLevel,
  deadline: number,
): Promise<ProcessStacks | null> {
  const target = isStill(dir, identity) ? readTarget(dir) : null;
  if (target === null) return null;
  if (target.runtime === 'node') return level === 'ask' && canAskNode(target) ? askNode(identity, dir) : null;
  for (const tool of stackTools) {
    // Frames of the runtime itself are not evidence about the program.
    const mayAsk = tool.isQuiet || (level === 'ask' && target.runtime === null);
    if (!mayAsk) continue;
    const text = await askTool(tool, { identity, dir, target }, deadline, undefined);
    if (text !== null) return { pid: identity.pid, threads: parseDump(tool.name, identity.pid, text) };
  }
  return null;
}

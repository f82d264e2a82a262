import vm from 'node:vm';
import { ownThreadCpuMs } from '../../probe/machine.js';

/** So long a pattern from outside may take for one block of text; nothing else is done meanwhile. */
const tryMs = 40;
/** On a busy machine time alone proves nothing: work that got less CPU than this is tried again. */
const tryCpuMs = 25;
const allCpuMs = 50;
const triesMax = 10;

/**
 * The result of a pure function; null: it takes too long, or its pattern is too much for the engine. V8 interrupts
 * whatever runs, also a regular expression in the midst of a line. The function may then be called again: it must leave
 * nothing half done.
 */
export function withinTime<T>(work: () => T): { value: T } | null {
  arena ??= { context: vm.createContext({ work: null }), script: new vm.Script('work()') };
  arena.context.work = work;
  const beganMs = ownThreadCpuMs();
  try {
    for (let tries = 0, usedMs = 0; tries < triesMax && usedMs < allCpuMs; tries++) {
      try {
        return { value: arena.script.runInContext(arena.context, { timeout: tryMs }) as T };
      } catch (error) {
        const before = usedMs;
        usedMs = ownThreadCpuMs() - beganMs;
        if (usedMs - before > tryCpuMs || !isOutOfTime(error)) return null;
      }
    }
    return null;
  } finally {
    arena.context.work = null;
  }
}

let arena: { context: vm.Context; script: vm.Script } | null = null;

function isOutOfTime(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}

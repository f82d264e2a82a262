import vm from 'node:vm';
import { ownThreadCpuMs } from '../../probe/machine.js';

/** The longest time that a user's pattern may take for a block of text. All other work waits meanwhile. */
const tryMs = 40;
/** On a busy machine elapsed time alone proves nothing. Work that got less CPU time than this is tried again. */
const tryCpuMs = 25;
const allCpuMs = 50;
const triesMax = 10;

/**
 * The result of a pure function; null: it takes too long, or its pattern is too much for the engine. V8 can interrupt
 * any code, also a regular expression in the middle of a line. The function may be called again, so it must leave
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

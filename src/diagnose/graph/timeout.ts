import { isAbsent } from '../../model/facts/absence.js';
import type { BlockedCall } from '../../model/facts/snapshot.js';
import type { Awaited, Wait } from './awaited.js';
import type { Task } from './view.js';

function timeLeft(timeout: BlockedCall['timeout'], thread: Task['thread']): Wait['timeout'] | 'unknown' {
  if (timeout === undefined) return null;
  if (isAbsent(timeout)) return 'unknown';
  if (timeout.ms === null) return null;
  if (timeout.absolute) return { leftMs: timeout.ms, exact: true };
  // A relative wait began when the thread last left the CPU.
  if (thread.offCpuMs !== null && thread.moved === false) {
    return { leftMs: Math.max(0, timeout.ms - thread.offCpuMs), exact: true };
  }
  return { leftMs: timeout.ms, exact: false };
}

/** Event loops without a timer, or with a timer further away, wait for this long and then again: asyncio, trio. */
const loopCapMs = 24 * 3600 * 1000;

/** The longest time that an event loop waits at once: it is not a real deadline. */
function isCap(timeout: BlockedCall['timeout'], form: Wait['form']): boolean {
  return form === 'set' && timeout !== undefined && !isAbsent(timeout) && timeout.ms === loopCapMs;
}

/** A blocking call on a socket has the timeout that was set on the socket, if that could be read. */
function socketTimeout(on: readonly Awaited[], form: Wait['form']): BlockedCall['timeout'] {
  const [only] = on;
  if (form !== 'single' || only?.what !== 'file' || only.file.kind !== 'socket') return undefined;
  const { detail } = only.file;
  if (detail?.of !== 'socket') return { absent: 'failed' };
  return {
    ms: only.purpose === 'write' || only.purpose === 'connect' ? detail.sendMs : detail.receiveMs,
    absolute: false,
  };
}

/** A read of a terminal may be limited by its settings. */
function terminalTimeout(on: readonly Awaited[], form: Wait['form']): BlockedCall['timeout'] {
  const [only] = on;
  if (form !== 'single' || only?.what !== 'file' || only.purpose !== 'read') return undefined;
  const { detail } = only.file;
  if (detail?.of !== 'terminal' || !detail.timed) return undefined;
  return detail.afterMs === undefined ? { absent: 'failed' } : { ms: detail.afterMs, absolute: false };
}

/** When a call returns by itself: by its own timeout, or by one that was set on its file. null: never. */
export function timeoutOf(
  call: BlockedCall,
  thread: Task['thread'],
  on: readonly Awaited[],
  form: Wait['form'],
): Wait['timeout'] | 'unknown' {
  const asked = call.timeout ?? socketTimeout(on, form) ?? terminalTimeout(on, form);
  return isCap(asked, form) ? 'unknown' : timeLeft(asked, thread);
}

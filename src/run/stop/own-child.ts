import { setTimeout as delay } from 'node:timers/promises';

/**
 * A child of this process, where nothing can be read about processes. Its pid, and the process group of that number,
 * cannot belong to anything else before its parent has waited for it.
 */
export interface OwnChild {
  readonly pid: number;
  /** Whether its parent has not waited for it yet. */
  isThere(): boolean;
}

export interface EndChildOptions {
  graceMs: number;
  /** SIGKILL: sent at once, without SIGTERM first. */
  signal: 'SIGTERM' | 'SIGKILL';
  /** Ends the grace at once. */
  abort?: AbortSignal;
}

const pollMs = 20;
/** A process that was killed ends within this, or it is blocked in the kernel. */
const endAfterKillMs = 2000;

/** false: the child is gone, or the signal is not permitted. */
export function signalChild(child: OwnChild, signal: NodeJS.Signals): boolean {
  if (!(child.pid > 1) || !child.isThere()) return false;
  // A child that leads no group is signalled alone.
  return kill(-child.pid, signal) || kill(child.pid, signal);
}

/** TERM, grace, KILL for a child and its process group. Returns the signal that ended it. */
export async function endChild(
  child: OwnChild,
  { graceMs, signal, abort }: EndChildOptions,
): Promise<'SIGTERM' | 'SIGKILL' | null> {
  const steps = signal === 'SIGTERM' ? (['SIGTERM', 'SIGKILL'] as const) : (['SIGKILL'] as const);
  for (const step of steps) {
    const isSent = signalChild(child, step);
    const waitMs = step === 'SIGTERM' ? graceMs : endAfterKillMs;
    if (isSent) await untilGone(child, performance.now() + waitMs, step === 'SIGTERM' ? abort : undefined);
    if (!child.isThere()) return isSent ? step : null;
  }
  return null;
}

/** Waits for the end of the child, up to `untilMs`. */
export async function untilGone(child: OwnChild, untilMs: number, abort?: AbortSignal): Promise<void> {
  while (child.isThere() && abort?.aborted !== true && performance.now() < untilMs) await delay(pollMs);
}

function kill(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

import type { ChildProcess } from 'node:child_process';
import { isAbsent } from '../model/facts/absence.js';
import type { ProcessIdentity } from '../model/facts/identity.js';
import type { Verdict } from '../model/verdict.js';
import type { Ending } from '../model/watchdog.js';
import { hasNumber, readRow } from '../probe/processes.js';
import { endChild, type OwnChild, untilGone } from '../run/stop/own-child.js';
import type { Send } from '../run/stop/send-signal.js';
import { type Ask, askFor } from './ask-for.js';
import { TreeEnding } from './end-tree.js';
import { judgeTogether } from './judge-together.js';

export interface EndingUnderWay {
  readonly done: Promise<Ending>;
  /** Nothing more is done to the subject once this has returned. */
  cancel(): void;
}

export interface Subject {
  readonly pid: number | null;
  isAlive(): boolean;
  judge(): Promise<Verdict | null>;
  end(graceMs: number): EndingUnderWay;
}

/** A process with a proven identity, distinct from every other process that ever had its pid. */
export function knownProcess(who: ProcessIdentity, ask: Ask | null, send?: Send): Subject {
  return {
    pid: who.pid,
    isAlive: () => isThere(who),
    judge: () => judgeTogether(who),
    end: (graceMs) => new TreeEnding(who, { graceMs, ask, ...(send && { send }) }),
  };
}

/** A process that /proc hides (hidepid). It lives, but its identity cannot be proven, so it is never signalled. */
export function hiddenProcess(pid: number, ask: Ask | null): Subject {
  return {
    pid,
    isAlive: () => hasNumber(pid),
    judge: async () => null,
    end: (graceMs) => endByAsking(ask, graceMs, () => !hasNumber(pid)),
  };
}

/**
 * A child of this process that /proc does not show. As long as it has no exit code, Node has not waited for it, so its
 * pid cannot be reused and it can be signalled.
 */
export function ownChild(child: ChildProcess, pid: number, ask: Ask | null): Subject {
  const own: OwnChild = { pid, isThere: () => child.exitCode === null && child.signalCode === null };
  return {
    pid,
    isAlive: own.isThere,
    judge: async () => null,
    end: (graceMs) => endOwnChild(own, ask, graceMs),
  };
}

/** A process that ended before it could be watched. */
export function endedProcess(pid: number | null): Subject {
  return {
    pid,
    isAlive: () => false,
    judge: async () => null,
    end: (graceMs) => endByAsking(null, graceMs, () => true),
  };
}

/** A subject without a process. It counts as alive until it is reported as ended. */
export function transport(ask: Ask): Subject {
  return {
    pid: null,
    isAlive: () => true,
    judge: async () => null,
    end: (graceMs) => endByAsking(ask, graceMs, () => false),
  };
}

/** A zombie does not count, nor another process with its pid. A process that cannot be read now has not ended. */
export function isThere({ pid, startTicks }: ProcessIdentity): boolean {
  const row = readRow(pid);
  if (isAbsent(row)) return row.absent !== 'gone';
  return row.startTicks === startTicks && !row.ended;
}

function endOwnChild(child: OwnChild, ask: Ask | null, graceMs: number): EndingUnderWay {
  const off = new AbortController();
  const guarded: OwnChild = { pid: child.pid, isThere: () => !off.signal.aborted && child.isThere() };
  const end = async (): Promise<Ending> => {
    const untilMs = performance.now() + graceMs;
    const trouble = ask === null ? null : await askFor(ask, graceMs);
    const signal = ask !== null && trouble === null ? 'SIGKILL' : 'SIGTERM';
    if (signal === 'SIGKILL') await untilGone(guarded, untilMs);
    const sent = await endChild(guarded, { graceMs, signal });
    return { signal: sent, asked: ask !== null, trouble, isGone: !child.isThere(), receipt: null };
  };
  return { done: end(), cancel: () => off.abort() };
}

function endByAsking(ask: Ask | null, graceMs: number, isGone: () => boolean): EndingUnderWay {
  const end = async (): Promise<Ending> => {
    const trouble = ask === null ? null : await askFor(ask, graceMs);
    return { signal: null, asked: ask !== null, trouble, isGone: isGone(), receipt: null };
  };
  return { done: end(), cancel() {} };
}

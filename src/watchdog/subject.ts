import type { ChildProcess } from 'node:child_process';
import { isAbsent } from '../model/facts/absence.js';
import type { ProcessIdentity } from '../model/facts/identity.js';
import type { Verdict } from '../model/verdict.js';
import type { Ending } from '../model/watchdog.js';
import { readRow } from '../probe/processes.js';
import { endChild, type OwnChild, untilGone } from '../run/stop/own-child.js';
import type { Send } from '../run/stop/send-signal.js';
import { type Ask, askFor } from './ask-for.js';
import { TreeEnding } from './end-tree.js';
import { judgeTogether } from './judge-together.js';

export interface EndingUnderWay {
  readonly done: Promise<Ending>;
  /** Nothing more is done to it once this has returned. */
  cancel(): void;
}

/** What a watchdog watches. */
export interface Subject {
  readonly pid: number | null;
  isAlive(): boolean;
  judge(): Promise<Verdict | null>;
  end(graceMs: number): EndingUnderWay;
}

/** A process that can be told from every other that ever had its number. */
export function knownProcess(who: ProcessIdentity, ask: Ask | null, send?: Send): Subject {
  return {
    pid: who.pid,
    isAlive: () => isThere(who),
    judge: () => judgeTogether(who),
    end: (graceMs) => new TreeEnding(who, { graceMs, ask, ...(send && { send }) }),
  };
}

/** One that /proc hides from us (hidepid): it lives, but who it is cannot be proven, so it is never signalled. */
export function hiddenProcess(pid: number, ask: Ask | null): Subject {
  return {
    pid,
    isAlive: () => hasNumber(pid),
    judge: async () => null,
    end: (graceMs) => endByAsking(ask, graceMs, () => !hasNumber(pid)),
  };
}

/**
 * A child of this very process that /proc does not show. Node has not waited for it as long as it has no exit code, so
 * its pid is still its own, and it can be signalled.
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

/** One that has ended before anybody could watch it. */
export function endedProcess(pid: number | null): Subject {
  return {
    pid,
    isAlive: () => false,
    judge: async () => null,
    end: (graceMs) => endByAsking(null, graceMs, () => true),
  };
}

/** Something without a process: alive as long as nobody says otherwise. */
export function transport(ask: Ask): Subject {
  return {
    pid: null,
    isAlive: () => true,
    judge: async () => null,
    end: (graceMs) => endByAsking(ask, graceMs, () => false),
  };
}

/** A zombie is not, nor is another one with its number. Whoever cannot be read just now has not ended for that. */
function isThere({ pid, startTicks }: ProcessIdentity): boolean {
  const row = readRow(pid);
  if (isAbsent(row)) return row.absent !== 'gone';
  return row.startTicks === startTicks && !row.ended;
}

/** Whether anybody has this number, also one whom we may not signal (EPERM). */
export function hasNumber(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
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

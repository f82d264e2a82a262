import { ChildProcess } from 'node:child_process';
import { watchdogSettings } from '../../config/watchdog-settings.js';
import { Failure } from '../../model/failure.js';
import { onAbort } from '../../model/own-signal.js';
import type { Watchdog, WatchdogEvent } from '../../model/watchdog.js';
import { hasNumber, identify, ourselvesAndAbove } from '../../probe/processes.js';
import { printable } from '../../text/printable.js';
import type { Ask } from '../../watchdog/ask-for.js';
import {
  endedProcess,
  hiddenProcess,
  knownProcess,
  ownChild,
  type Subject,
  transport,
} from '../../watchdog/subject.js';
import { sharedSweep } from '../../watchdog/sweep.js';
import { Watcher } from '../../watchdog/watcher.js';
import { checkPid } from '../why.js';

export { logTo, type WatchdogLogger } from '../../run/telemetry/log-to.js';

/** The part of a child of `child_process`, execa, node-pty or an SDK that is used. */
export interface WatchedChild {
  readonly pid?: number | undefined;
  readonly exitCode?: number | null;
  readonly signalCode?: NodeJS.Signals | null;
  once?(event: 'exit', listener: () => void): unknown;
  off?(event: 'exit', listener: () => void): unknown;
}

/** A connection or remote session, without a local process. */
export interface WatchedTransport {
  terminate(): unknown;
}

/** What can be watched: a process id, a child, or an object with `terminate()`. */
export type WatchTarget = number | WatchedChild | WatchedTransport;

/** Options of `watch` and `supervise`. */
export interface WatchOptions {
  /** How often to check that the process exists; default 10 s. */
  pollIntervalMs?: number | undefined;
  /** Without activity for longer than this, it is ended; default 180 s, or UNSTUCK_WATCHDOG_TIMEOUT. */
  idleTimeoutMs?: number | undefined;
  /** Between SIGTERM and SIGKILL; default 5 s. */
  graceMs?: number | undefined;
  /** Replaces SIGTERM. What is left after the grace time is killed. */
  terminate?: (() => unknown) | undefined;
  /** The same as `stop()`. */
  signal?: AbortSignal | undefined;
  /** End it only when kernel evidence shows that it will not go on by itself, or after `maxIdleMs`. */
  judge?: boolean | undefined;
  /**
   * With `judge`: without activity for longer than this, it is ended whatever the evidence; default 10 times
   * `idleTimeoutMs`. 0 or Infinity: no limit.
   */
  maxIdleMs?: number | undefined;
  onEvent?: ((event: WatchdogEvent) => void) | undefined;
  /** Name in events, logs and errors. */
  label?: string | undefined;
}

const defaults = { pollIntervalMs: 10_000, graceMs: 5_000 };
/** Default of `maxIdleMs`, in idle timeouts. */
const idleTimeoutsSpared = 10;
/** Longest timer of Node. */
const durationMsMax = 2 ** 31 - 1;
const labelLengthMax = 80;

/** Ends a process, started by the caller or another program, when it shows no activity for too long. */
export function watch(target: WatchTarget, options: WatchOptions = {}): Watchdog {
  return watchWith(target, options, null);
}

/** `hasMoved`: checked for activity at every poll. */
export function watchWith(
  target: WatchTarget,
  options: WatchOptions,
  hasMoved: (() => boolean) | null,
): Watchdog {
  const settings = watchdogSettings(process.env);
  const { terminate = null, signal, judge = false, onEvent = null, label } = options;
  const given = { ...defaults, idleTimeoutMs: settings.idleTimeoutMs, ...withoutUndefined(options) };
  checkDurations(given);
  const maxIdleMs = ceilingOf(options.maxIdleMs, given.idleTimeoutMs);
  const subject = subjectOf(target, terminate);
  // Without a process there is no evidence.
  const isJudged = judge && subject.pid !== null;
  const watcher = new Watcher(
    subject,
    {
      pollIntervalMs: given.pollIntervalMs,
      idleTimeoutMs: settings.enabled ? given.idleTimeoutMs : Number.POSITIVE_INFINITY,
      graceMs: given.graceMs,
      judge: isJudged,
      maxIdleMs: isJudged && settings.enabled ? maxIdleMs : Number.POSITIVE_INFINITY,
      label: label === undefined ? null : printable(label).slice(0, labelLengthMax),
      onEvent,
      hasMoved,
    },
    sharedSweep,
  );
  if (typeof target === 'object') noteExitOf(target as WatchedChild, watcher);
  if (signal !== undefined) stopWith(watcher, signal);
  return watcher;
}

function noteExitOf(target: WatchedChild, watcher: Watcher): void {
  const note = () => watcher.noteExit();
  target.once?.('exit', note);
  const forget = () => target.off?.('exit', note);
  watcher.done.then(forget, forget);
}

function stopWith(watchdog: Watchdog, signal: AbortSignal): void {
  const forget = onAbort(signal, () => watchdog.stop());
  watchdog.done.then(forget, forget);
}

function subjectOf(target: WatchTarget, ask: Ask | null): Subject {
  if (typeof target === 'number') return processOf(checkPid(target), ask);
  if (target === null || typeof target !== 'object') throw notATarget();
  const { pid, exitCode = null, signalCode = null } = target as WatchedChild;
  if (pid !== undefined) {
    return exitCode === null && signalCode === null
      ? processOf(checkPid(pid), ask, target)
      : endedProcess(pid);
  }
  if ('terminate' in target && typeof target.terminate === 'function')
    return transport(() => target.terminate());
  if (ask !== null) return transport(ask);
  // A child without a pid could not be started.
  if ('exitCode' in target) return endedProcess(null);
  throw notATarget();
}

function processOf(pid: number, ask: Ask | null, target?: object): Subject {
  if (pid === 1 || ourselvesAndAbove().has(pid)) {
    throw new Failure(
      'bad-input',
      `process ${pid} is this program or one of its ancestors`,
      'watch a process that you have started',
    );
  }
  const identity = identify(pid);
  if (identity !== null) return knownProcess(identity, ask);
  if (target instanceof ChildProcess) return ownChild(target, pid, ask);
  return hasNumber(pid) ? hiddenProcess(pid, ask) : endedProcess(pid);
}

function notATarget(): Failure {
  return new Failure(
    'bad-input',
    'nothing to watch: give a process id, a child, or an object with terminate()',
    'for example: watch(child, { idleTimeoutMs: 180_000 })',
  );
}

function withoutUndefined(options: WatchOptions): WatchOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function ceilingOf(maxIdleMs: number | undefined, idleTimeoutMs: number): number {
  if (maxIdleMs === undefined) return idleTimeoutsSpared * idleTimeoutMs;
  if (maxIdleMs === 0 || maxIdleMs === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
  if (typeof maxIdleMs === 'number' && maxIdleMs >= idleTimeoutMs) return maxIdleMs;
  throw new Failure(
    'bad-input',
    `maxIdleMs is ${String(maxIdleMs)}, and must be at least idleTimeoutMs (${idleTimeoutMs})`,
    'give a larger number of milliseconds, or 0 for no limit',
  );
}

/** Reports all problems at once. */
function checkDurations(given: Record<'pollIntervalMs' | 'idleTimeoutMs' | 'graceMs', unknown>): void {
  const minima = { pollIntervalMs: 1, idleTimeoutMs: 1, graceMs: 0 };
  const wrong = Object.entries(minima).filter(([name, min]) => {
    const value = given[name as keyof typeof minima];
    return typeof value !== 'number' || !(value >= min && value <= durationMsMax);
  });
  if (wrong.length === 0) return;
  const problems = wrong.map(([name]) => `${name} is ${String(given[name as keyof typeof minima])}`);
  throw new Failure(
    'bad-input',
    `not a number of milliseconds: ${problems.join(', ')}`,
    `give a number up to ${durationMsMax}, such as 180_000 for three minutes`,
  );
}

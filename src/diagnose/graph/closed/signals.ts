import type { ProcessFacts } from '../../../model/facts/snapshot.js';

const bit = (signal: number): bigint => 1n << BigInt(signal - 1);

const mask = (...signals: number[]): bigint => signals.reduce((bits, signal) => bits | bit(signal), 0n);

const SIGINT = 2;
/** A process that handles it is followed to its children (wakers/child.ts). */
export const SIGCHLD = 17;
export const SIGALRM = 14;
const SIGTTIN = 21;
const SIGTTOU = 22;

/** Raised by what the thread does itself (a fault, a write without a reader): no handler of these can end a wait. */
const ownDoing = mask(4, 5, 6, 7, 8, 11, 13, 31);

/** Signals of the C library (nptl(7)): sigaction refuses these two numbers to the program. */
const library = mask(32, 33);

/** Continued, stopped by Ctrl-Z, window size: every line editor catches them, and hardly any program waits for them. */
const courtesy = mask(18, 20, 28);

const waking = ~(ownDoing | library | mask(SIGINT, SIGCHLD));

/** Signals that runtimes catch on their own, before a program asks for anything. */
const runtimeOwn: Record<NonNullable<ProcessFacts['runtime']>, bigint> = {
  node: mask(10, 15),
  python: 0n,
  ruby: mask(1, 3, 10, 12, 14, 15, 26),
  go: ~0n,
  java: ~0n,
};

const known = new WeakMap<object, bigint>();

/** It is asked for each thread of the process. */
function caughtBy({ signals }: ProcessFacts): bigint {
  if (signals === null) return 0n;
  const caught = known.get(signals) ?? BigInt(`0x${signals.caught}`);
  known.set(signals, caught);
  return caught;
}

/** Whether a signal to the process has no effect: it is ignored, or blocked in its only thread. */
export function isDeafTo({ signals, threads }: ProcessFacts, signal: number): boolean {
  if (signals === null) return false;
  const blocked = threads.length === 1 ? BigInt(`0x${signals.blocked}`) : 0n;
  return ((BigInt(`0x${signals.ignored}`) | blocked) & bit(signal)) !== 0n;
}

export function catches(process: ProcessFacts, signal: number): boolean {
  return (caughtBy(process) & bit(signal)) !== 0n;
}

/**
 * Caught signals whose handler could end a wait. Ctrl-C is not included: every shell and every Python handles it, and a
 * user who sends it wants the program to end, not to go on. See mayAwaitInterrupt.
 */
function wakingSignals(process: ProcessFacts): bigint {
  return caughtBy(process) & waking;
}

function runtimeSignals({ runtime }: ProcessFacts): bigint {
  return runtime === null ? 0n : runtimeOwn[runtime];
}

/** Signals that this program chose to handle. */
export function handledSignals(process: ProcessFacts): bigint {
  return wakingSignals(process) & ~runtimeSignals(process);
}

/** Signals that a program handles in order to wait for them. */
export function awaitedSignals(process: ProcessFacts): bigint {
  return handledSignals(process) & ~courtesy;
}

/**
 * Signals that may end a call which ends with a signal only. A shell pauses until a child ends: the courtesy signals do
 * not count there.
 */
export function pausedFor(process: ProcessFacts): bigint {
  return catches(process, SIGCHLD) ? awaitedSignals(process) : handledSignals(process);
}

/** A program that pauses until a signal may wait for Ctrl-C. A shell that pauses waits for its children. */
export function mayAwaitInterrupt(process: ProcessFacts): boolean {
  return catches(process, SIGINT) && !catches(process, SIGCHLD);
}

const ofTerminal = mask(SIGTTIN, SIGTTOU);

/**
 * setitimer and alarm show nowhere in /proc; only the handler of their signal reveals them. The timers of SIGVTALRM and
 * SIGPROF count CPU time, so that they do not end a sleep. A program that also catches the job-control signals asks for
 * a password (readpassphrase does) and has no timer.
 */
export function mayHaveAlarm(process: ProcessFacts): boolean {
  const caught = caughtBy(process);
  const asksOnTerminal = (caught & ofTerminal) === ofTerminal;
  return !asksOnTerminal && (awaitedSignals(process) & bit(SIGALRM)) !== 0n;
}

/** SIGALRM, SIGVTALRM, SIGPROF: the signals of setitimer and alarm. */
const ofTimers = mask(SIGALRM, 26, 27);

function includesTimer(signals: bigint): boolean {
  return (signals & ofTimers) !== 0n;
}

const chosenSignalsMax = 8;

/** A mask made for a timer's signal. A mask with nearly all signals in it is no evidence for any of them. */
export function isMadeForTimer(signals: bigint): boolean {
  const count = signals.toString(2).replaceAll('0', '').length;
  return includesTimer(signals) && count <= chosenSignalsMax;
}

/**
 * A program that handles SIGALRM among few signals most often set an alarm to end its wait. A shell with a trap for its
 * exit handles nearly all signals.
 */
export function handlesAlarm(process: ProcessFacts): boolean {
  const handled = awaitedSignals(process);
  return (handled & bit(SIGALRM)) !== 0n && isMadeForTimer(handled);
}

export function withoutChild(signals: bigint): bigint {
  return signals & ~bit(SIGCHLD);
}

export function includesChild(signals: bigint): boolean {
  return (signals & bit(SIGCHLD)) !== 0n;
}

/** A runtime catches these signals for itself, so handlers of the program are not visible. */
export function hidesHandlers(process: ProcessFacts): boolean {
  return (wakingSignals(process) & runtimeSignals(process)) !== 0n;
}

import type { ProcessFacts } from '../model/snapshot.js';

const bit = (signal: number): bigint => 1n << BigInt(signal - 1);

const mask = (...signals: number[]): bigint => signals.reduce((bits, signal) => bits | bit(signal), 0n);

export const SIGCHLD = 17;
const SIGTTIN = 21;
const SIGTTOU = 22;

/** Raised by the thread's own fault, never by the outside: no handler of these can end a wait. */
const faults = mask(4, 5, 6, 7, 8, 11, 31);

/** Handlers that say nothing about being waited for: interrupt, pipe, window size, job control, preemption. */
const housekeeping = mask(2, 13, 17, 18, 20, 23, 28, 32, 33, 34);

/** What runtimes catch on their own, before a program asks for anything. */
const runtimeOwn: Record<NonNullable<ProcessFacts['runtime']>, bigint> = {
  node: mask(10, 15),
  python: 0n,
  go: ~0n,
  java: ~0n,
};

const caughtBy = (process: ProcessFacts): bigint => BigInt(`0x${process.signals?.caught ?? '0'}`);

export function catches(process: ProcessFacts, signal: number): boolean {
  return (caughtBy(process) & bit(signal)) !== 0n;
}

/** Signals this program chose to handle, so that one of them may be what it waits for. */
export function awaitedSignals(process: ProcessFacts): bigint {
  const own = process.runtime === null ? 0n : runtimeOwn[process.runtime];
  return BigInt.asUintN(64, caughtBy(process) & ~faults & ~housekeeping & ~own);
}

/**
 * setitimer and alarm show nowhere in /proc; only their signal's handler gives them away. Whoever catches the
 * job-control signals too asks for a password (readpassphrase does) and means no timer by it.
 */
export function mayHaveAlarm(process: ProcessFacts): boolean {
  const caught = caughtBy(process);
  const asksOnTerminal = (caught & mask(SIGTTIN, SIGTTOU)) === mask(SIGTTIN, SIGTTOU);
  return !asksOnTerminal && (awaitedSignals(process) & mask(14, 26, 27)) !== 0n;
}

export function withoutChild(signals: bigint): bigint {
  return signals & ~bit(SIGCHLD);
}

export function includesChild(signals: bigint): boolean {
  return (signals & bit(SIGCHLD)) !== 0n;
}

/** A runtime catches these for itself, so whether the program handles them too cannot be seen. */
export function hidesHandlers(process: ProcessFacts): boolean {
  const own = process.runtime === null ? 0n : runtimeOwn[process.runtime];
  return (caughtBy(process) & own & ~faults & ~housekeeping) !== 0n;
}

import type { RunningTest } from '../../model/facts/stack.js';
import { type RunnerRow, runnerRows } from './table.js';

/** The state of a test runner, from its output. Plain data of bounded size. */
export interface SuiteState {
  /** The runner whose lines were last recognised; null: no runner. */
  runner: RunnerRow['runner'] | null;
  /** When the runner printed that all is over; null: it has not, or started over. */
  endedAtMs: number | null;
  /** The test that has begun and not ended; null: the runner does not print it. */
  running: string | null;
  /** The last test that ended, of a runner that runs and prints one after the other; null: none. */
  last: string | null;
  /** The runner waits for files to change, and stays on purpose. */
  watches: boolean;
}

export const startSuite: SuiteState = {
  runner: null,
  endedAtMs: null,
  running: null,
  last: null,
  watches: false,
};

/** Printed by runners that stay and run again when a file changes. */
const watchLine =
  /waiting for (?:file )?changes|press \S{1,10} to (?:run|show|rerun)|^Watch Usage|looponfail/i;
const lineCharsMax = 500;

/** Takes in a line of output that has ended. */
export function advanceSuite(state: SuiteState, line: string, atMs: number): SuiteState {
  const text = line.slice(0, lineCharsMax);
  if (watchLine.test(text)) return { ...state, watches: true };
  for (const { runner, ended, begun, done, inOrder } of runnerRows) {
    if (ended.test(text)) return { ...state, runner, endedAtMs: atMs, running: null, last: null };
    const name = begun?.exec(text)?.groups?.name;
    if (name !== undefined) return { ...state, runner, endedAtMs: null, running: name };
    const finished = done.exec(text);
    if (finished === null) continue;
    const isOther = state.running !== null && finished.groups?.name !== state.running;
    const last = inOrder === true ? (finished.groups?.name ?? finished.groups?.title ?? null) : state.last;
    return { ...state, runner, endedAtMs: null, running: isOther ? state.running : null, last };
  }
  return state;
}

/** The line that has not ended: some runners print a test's name before its result. */
export function testOnLine(unfinished: string): string | null {
  const text = unfinished.slice(0, lineCharsMax);
  for (const { open } of runnerRows) {
    const name = open?.exec(text)?.groups?.name;
    if (name !== undefined) return name;
  }
  return null;
}

/** The running test as the output names it; null: the output does not name it. */
export function testOfOutput(state: SuiteState, unfinished: string): RunningTest | null {
  const name = testOnLine(unfinished) ?? state.running;
  if (name !== null) return { name, file: null, line: null, from: 'output' };
  return state.last === null ? null : { name: state.last, file: null, line: null, from: 'after' };
}

import type { Source } from '../model/facts/absence.js';
import { Failure } from '../model/failure.js';
import { withOwnSignal } from '../model/own-signal.js';
import type { ScreenClaim } from '../model/run/screen-claim.js';
import type { WhyAnswer, WhyResult } from '../model/verdict.js';
import { chooseProbe, type ProbeName } from '../probe/choose.js';

export type { ProbeName };

/** Options of `why` and `whyWithSnapshot`. */
export interface WhyOptions {
  /** Source of facts; default: the best this machine has. */
  probe?: ProbeName | undefined;
  /** Milliseconds between the two reads of a snapshot. */
  gapMs?: number | undefined;
  /** Sources to treat as denied, to see how the answer degrades. */
  withhold?: readonly Source[] | undefined;
  /** What the terminal of the process shows, where that is known. */
  screen?: ScreenClaim | undefined;
  signal?: AbortSignal | undefined;
}

/** The largest process id Linux can give out (PID_MAX_LIMIT on 64-bit kernels). */
const pidMax = 4_194_304;

/** A process id from outside, checked. */
export function checkPid(value: number | string): number {
  const pid =
    typeof value === 'number' ? value : /^\d{1,10}$/.test(value.trim()) ? Number(value) : Number.NaN;
  if (Number.isInteger(pid) && pid >= 1 && pid <= pidMax) return pid;
  throw new Failure(
    'bad-input',
    `not a process id: ${JSON.stringify(value)} (must be a whole number from 1 to ${pidMax})`,
    'find a pid with: pgrep -f NAME',
  );
}

/** Takes one snapshot and judges what a process is doing or waiting for, and why. */
export async function whyWithSnapshot(pid: number | string, options: WhyOptions = {}): Promise<WhyResult> {
  const { probe, signal: theirs, screen, ...rest } = options;
  const checked = checkPid(pid);
  const chosen = await chooseProbe(probe);
  // The judge is loaded while the probe waits for its second read, at no extra time.
  const taking = withOwnSignal(theirs, (signal) => chosen.snapshot(checked, { ...rest, signal }));
  const [snapshot, { whyLive }] = await Promise.all([taking, import('./why-snapshot.js')]);
  const result = { answer: whyLive(snapshot, screen), snapshot };
  if (result.answer.verdict.beyond === undefined) return result;
  const { followInside } = await import('./elsewhere/follow-inside.js');
  return followInside(result, (inside) => whyWithSnapshot(inside, rest));
}

/** `unstuck why` as a function: resolves with the answer, rejects with a Failure that has a code and a hint. */
export async function why(pid: number | string, options: WhyOptions = {}): Promise<WhyAnswer> {
  const { answer } = await whyWithSnapshot(pid, options);
  return answer;
}

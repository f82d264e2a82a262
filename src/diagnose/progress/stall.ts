import { formatDuration } from '../../text/duration.js';

const spinner = /[\u2800-\u28ff◐◓◑◒◴◷◶◵◰◳◲◱◜◝◞◟⣾⣽⣻⢿⡿⣟⣯⣷▖▘▝▗◢◣◤◥]|(?:^|(?<=\s))[|/\\-](?=\s|$)/g;
const clock = /\d{4}-\d\d-\d\d[T ]|\d{1,3}:\d\d(?::\d\d)?(?:[.,]\d{1,9})?Z?/g;
const duration =
  /\d{1,9}(?:\.\d{1,6})? ?(?:ms|µs|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h)(?![A-Za-z])/g;
const growingDots = /(?<=[\p{L}\p{N})])(?:\.{1,3}|…)$/u;

/**
 * The part of a line that stays the same while it only shows that time goes by. Spinners, clocks and seconds
 * elapsed are left out; every other number may be progress.
 */
export function stillPart(line: string): string {
  return line
    .replace(spinner, '')
    .replace(clock, '')
    .replace(duration, '')
    .replace(growingDots, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The facts of one heartbeat. */
export interface StallPulse {
  /** Milliseconds of a clock that never jumps. */
  atMs: number;
  /** Empty: nothing was printed yet. */
  lastLine: string;
  /** null: no signature to judge by. */
  progressAdvancedAtMs: number | null;
  elapsedMs: number;
  /** The reported progress, for the sentence. */
  progressText?: string | null;
}

export interface StallOptions {
  /** No stall is reported before this time. */
  armAfterMs: number;
  /** This many heartbeats with the same last line, or without progress, are a stall; 0: off. */
  samePulses: number;
  /** Progress that stands still for less than this is no stall, however short the heartbeats are. */
  progressPatienceMs?: number;
}

/** Plain data, carried from heartbeat to heartbeat. */
export interface StallState {
  line: string;
  sinceMs: number;
  same: number;
  advancedAtMs: number | null;
  /** Heartbeats in a row without progress. */
  standing: number;
  reported: boolean;
}

export interface Stall {
  state: StallState;
  /** Heartbeats in a row with the same last line; 0: nothing printed yet. */
  same: number;
  armInMs: number;
  /** A sentence, given once per stall. */
  stalled: string | null;
}

export const startStall: StallState = {
  line: '',
  sinceMs: 0,
  same: 0,
  advancedAtMs: null,
  standing: 0,
  reported: false,
};

/** Takes in one heartbeat. */
export function advanceStall(state: StallState, pulse: StallPulse, options: StallOptions): Stall {
  const counted = countOn(state, pulse);
  const armInMs = Math.max(0, options.armAfterMs - pulse.elapsedMs);
  const reason = standsStill(counted, pulse, options)
    ? progressReason(counted, pulse)
    : options.samePulses > 0 && counted.same >= options.samePulses
      ? lineReason(counted, pulse)
      : null;
  const stalled = armInMs === 0 ? reason : null;
  return {
    state: { ...counted, reported: stalled !== null },
    same: counted.same,
    armInMs,
    stalled: state.reported ? null : stalled,
  };
}

function countOn(state: StallState, { lastLine, progressAdvancedAtMs, atMs }: StallPulse): StallState {
  const line = stillPart(lastLine);
  const advanced = progressAdvancedAtMs !== null && progressAdvancedAtMs !== state.advancedAtMs;
  // A spinner alone is a line too: it is present, and it is the same.
  const again = state.same > 0 && line === state.line && !advanced;
  const first = lastLine === '' ? 0 : 1;
  return {
    ...state,
    line,
    sinceMs: again ? state.sinceMs : atMs,
    same: again ? state.same + 1 : first,
    advancedAtMs: progressAdvancedAtMs,
    standing: advanced || progressAdvancedAtMs === null ? 0 : state.standing + 1,
  };
}

/** A signature is known, and has not advanced. */
function standsStill(
  { standing, advancedAtMs }: StallState,
  { atMs }: StallPulse,
  { samePulses, progressPatienceMs }: StallOptions,
): boolean {
  if (advancedAtMs === null) return false;
  if (samePulses === 0 && progressPatienceMs === undefined) return false;
  return standing >= Math.max(1, samePulses) && atMs - advancedAtMs >= (progressPatienceMs ?? 0);
}

function progressReason({ advancedAtMs, same }: StallState, { atMs, progressText }: StallPulse): string {
  const at = progressText ? `stuck at ${progressText}` : 'its progress has stopped';
  const output = same <= 1 ? ', although output goes on' : '';
  return `${at}: no advance for ${formatDuration(atMs - (advancedAtMs ?? atMs))}${output}`;
}

function lineReason({ same, sinceMs }: StallState, { atMs, lastLine }: StallPulse): string {
  return `the last line is the same for ${same} heartbeats, ${formatDuration(atMs - sinceMs)}: '${lastLine.slice(0, 60)}'`;
}

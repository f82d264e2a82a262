import { kindWords } from '../../model/verdict-words.js';
import type { Ending, TimeoutCause, WatchdogEvent, WatchdogTimeoutFacts } from '../../model/watchdog.js';
import { formatDuration } from '../../text/duration.js';

type Words = { [Kind in WatchdogEvent['kind']]: (event: Extract<WatchdogEvent, { kind: Kind }>) => string };

function nameOf({ pid, label }: { pid: number | null; label: string | null }): string {
  const number = pid === null ? 'a transport' : `process ${pid}`;
  return label === null ? number : `${label} (${number})`;
}

function howItEnded({ signal, isGone, asked }: Pick<Ending, 'signal' | 'isGone' | 'asked'>): string {
  if (signal !== null) return `it was ended with ${signal}`;
  if (asked) return 'its own terminate was called';
  return isGone ? 'it had ended' : 'it could not be ended';
}

/** States that the limit was exceeded, beside the length of the silence. */
const causeWords: Record<TimeoutCause, string> = {
  idle: '',
  verdict: '',
  ceiling: ', the longest silence that is allowed',
};

/** A sentence per event. A missing sentence does not compile. */
const words: Words = {
  'watchdog.started': ({ idleTimeoutMs }) =>
    idleTimeoutMs === null
      ? 'is not watched: the watchdog is switched off'
      : `is watched: ends after ${formatDuration(idleTimeoutMs)} without activity`,
  'watchdog.activity': () => 'is active',
  'watchdog.held': ({ idleMs, verdict, ceilingInMs }) =>
    `no activity for ${formatDuration(idleMs)}, but it stays${ceilingInMs === null ? '' : ` for at most ${formatDuration(ceilingInMs)} more`}: ${verdict === null ? 'it could not be read what it is doing' : `${kindWords[verdict.kind]}, ${verdict.reason}`}`,
  'watchdog.timeout': ({ because, idleMs, verdict }) =>
    `no activity for ${formatDuration(idleMs)}${causeWords[because]}${verdict === null ? '' : ` (${kindWords[verdict.kind]}, ${verdict.certainty}: ${verdict.reason})`}`,
  'watchdog.killed': ({ signal, survivors }) =>
    `${howItEnded({ signal, isGone: true, asked: signal === null })}${survivors.length === 0 ? '' : `; still there: ${survivors.join(', ')}`}`,
  'watchdog.ended': ({ outcome }) => `is no longer watched: ${outcome}`,
};

export function describeEvent(event: WatchdogEvent): string {
  const say = words[event.kind] as (event: WatchdogEvent) => string;
  return `${nameOf(event)}: ${say(event)}`;
}

export function describeTimeout(facts: WatchdogTimeoutFacts): string {
  const why = facts.verdict === null ? '' : ` (${kindWords[facts.verdict.kind]}: ${facts.verdict.reason})`;
  return `${nameOf(facts)}: no activity for ${formatDuration(facts.idleMs)}${causeWords[facts.because]}${why}; ${howItEnded(facts)}`;
}

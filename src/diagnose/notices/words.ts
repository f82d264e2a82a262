import type { Health } from '../../model/run/health.js';
import type { OutputLost } from '../../model/run/output-lost.js';
import { type Exit, stoppedWords } from '../../model/run/run.js';
import { formatDuration } from '../../text/duration.js';
import { printable } from '../../text/printable.js';
import { quoted } from '../../text/visible.js';
import type { BreakerLimits } from './limits.js';
import { showPattern } from './pattern.js';
import type { Held, Trouble } from './watch-state.js';

const lineChars = 60;
const reasonChars = 300;

const lines = (count: number) => (count === 1 ? '1 line' : `${count} lines`);
const matches = (count: number) => (count === 1 ? '1 match was' : `${count} matches were`);
const were = (count: number) => (count === 1 ? '1 was' : `${count} were`);

/** Counts all matches, including those that were held back. */
export function matchText({ count, first, lines: shown }: Held, suppressed: number): string {
  const pattern = showPattern(first?.pattern ?? '');
  const which = count === 1 ? `matches ${pattern}` : `match, the first one ${pattern}`;
  const line = quoted((shown[0] ?? '').trim(), lineChars);
  const late = suppressed === 0 ? '' : ` (${suppressed} held back since the last notice)`;
  return `${lines(count)} ${which}${late}: ${line}`;
}

export function patternsOffText(suppressed: number): string {
  return `the patterns match too often and are off now: ${matches(suppressed)} not reported; the end of the run will be`;
}

export function patternLostText(reason: string): string {
  return `${printable(reason).slice(0, reasonChars)}: the pattern is off now; the end of the run will be reported`;
}

export function exitText(exit: Exit, suppressed: number, lost: OutputLost | null): string {
  const { code, signal } = exit;
  const loss = lost === null ? '' : `; ${lost.message}`;
  const stopped = stoppedWords(exit);
  const unreported = `${stopped}${suppressed === 0 ? '' : `; before that ${matches(suppressed)} not reported`}${loss}`;
  if (signal !== null) return `ended by ${signal}${unreported}`;
  return code === null
    ? `ended, with an unknown exit code${unreported}`
    : `ended with exit code ${code}${unreported}`;
}

const troubleWords: Record<Trouble, string> = {
  'needs-input': 'waits for an answer',
  stuck: 'is stuck',
  stalled: 'makes no progress',
};

export function troubleText(trouble: Trouble, reason: string): string {
  return reason === ''
    ? troubleWords[trouble]
    : `${troubleWords[trouble]}: ${printable(reason).slice(0, reasonChars)}`;
}

export function progressText(health: Health, elapsedMs: number, newLines: number): string {
  const news = newLines === 0 ? 'nothing new' : newLines === 1 ? '1 new line' : `${newLines} new lines`;
  return `running for ${formatDuration(elapsedMs)}, ${health}, ${news}`;
}

export function overflowText({ noticesMax, windowMs, openMs }: BreakerLimits): string {
  return `more than ${noticesMax} notices in ${formatDuration(windowMs)}: for ${formatDuration(openMs)} matches and progress of all runs are only counted`;
}

export function overflowOverText(suppressed: number): string {
  return `matches and progress are reported again: ${were(suppressed)} held back`;
}

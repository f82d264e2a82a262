import { Failure } from '../../model/failure.js';
import { compilePattern, isDear, patternCharsMax } from '../../text/outside-pattern.js';
import { printable } from '../../text/printable.js';
import { regexOverLines } from './over-lines.js';

/** Limit for one run. */
export const patternsMax = 32;

const shownChars = 60;

export interface TextPattern {
  kind: 'text';
  written: string;
  text: string;
}

export interface RegexPattern {
  kind: 'regex';
  written: string;
  /** For a single line. */
  regex: RegExp;
  /** For many lines at once, where that can be done. */
  over: RegExp | null;
}

/** What is searched for in each line. */
export type Pattern = TextPattern | RegexPattern;

/** Reads each `/…/flags` or plain text. Throws a Failure that names the invalid pattern. */
export function readPatterns(patterns: readonly string[]): Pattern[] {
  if (patterns.length > patternsMax) {
    throw new Failure(
      'bad-input',
      `${patterns.length} patterns are too many`,
      `give at most ${patternsMax}, or join some of them: /this|that/`,
    );
  }
  return patterns.map(readPattern);
}

/** Shortened to fit in a line of text. */
export function showPattern(pattern: string): string {
  const shown = printable(pattern);
  return `'${shown.length > shownChars ? `${shown.slice(0, shownChars - 1)}…` : shown}'`;
}

/** The pattern is no longer searched for. */
export function tooSlow({ written }: Pattern): Failure {
  return new Failure(
    'bad-input',
    `the regular expression ${showPattern(written)} takes too long on this output`,
    'write it without nested repetition: a+ for (a+)+, or use a plain text',
  );
}

function readPattern(written: string): Pattern {
  if (written.length > patternCharsMax) {
    throw new Failure(
      'bad-input',
      `the pattern ${showPattern(written)} is too long`,
      `give at most ${patternCharsMax} characters`,
    );
  }
  const regex = /^\/(.+)\/([dimsuv]*)$/s.exec(written);
  if (regex !== null) return readRegex(written, regex[1] ?? '', regex[2] ?? '');
  if (written === '') {
    throw new Failure('bad-input', 'an empty pattern is in every line', 'give a text, or leave it out');
  }
  if (written.includes('\n')) {
    throw new Failure(
      'bad-input',
      `no line has the pattern ${showPattern(written)} in it: it goes over a line end`,
      'give one pattern for each line',
    );
  }
  return { written, kind: 'text', text: written };
}

function readRegex(written: string, source: string, flags: string): Pattern {
  const regex = compilePattern(source, flags);
  if (regex instanceof RegExp) {
    const over = regexOverLines(regex);
    return { written, kind: 'regex', regex, over: over === null || isDear(over) ? null : over };
  }
  throw new Failure(
    'bad-input',
    `the pattern ${showPattern(written)} ${regex.refused}`,
    `${regex.instead}, or a plain text without the slashes`,
  );
}

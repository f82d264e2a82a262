import { Failure } from '../../model/failure.js';
import type { NoticeWishes } from '../../model/notice.js';
import { compilePattern, isDear, patternCharsMax } from '../../text/outside-pattern.js';
import { printable } from '../../text/printable.js';

/** Groups that do not change what `^`, `.` and letters mean within them. */
const knownGroup = /^\((?!\?)|^\(\?(?:[:=!]|<[=!]|<[A-Za-z_$][\w$]*>)/;
/** `\d` and the like, and characters that mean themselves. Others may be longer, or mean a group. */
const knownEscape = /^\\(?:[dDwWsSbBtrnfv]|[^A-Za-z0-9])/;
const characterClass = /^\[(?:\\.|[^\]\\])*\]/s;
/** Zero-width: a place between two characters. */
const placeEscapes = new Set(['\\b', '\\B']);

/**
 * The same regular expression for many lines at once: it matches within a line of a text exactly when the given
 * expression matches that line alone. At a newline everything fails as it does at the end, and `^` and `$` are at each
 * line. This holds for a text whose only line terminator is the newline. null: no such expression is known.
 */
export function regexOverLines({ source, flags }: RegExp): RegExp | null {
  if (/[uv]/.test(flags)) return null;
  const kept = flags.replace(/[dgm]/g, '');
  let written = '';
  for (let at = 0; at < source.length; ) {
    const rest = source.slice(at);
    const atom = atomOf(rest);
    if (atom === null) return null;
    written += isCharacter(atom) ? withoutNewline(atom, kept) : atom;
    at += atom.length;
  }
  return new RegExp(written, `${kept}gm`);
}

/** The first atom; null: an atom that is not known here. */
function atomOf(rest: string): string | null {
  switch (rest[0]) {
    case '(':
      return knownGroup.exec(rest)?.[0] ?? null;
    case '\\':
      return knownEscape.exec(rest)?.[0] ?? null;
    case '[':
      return characterClass.exec(rest)?.[0] ?? null;
    default:
      return rest[0] ?? null;
  }
}

/** Stands for a single character out of many. */
function isCharacter(atom: string): boolean {
  return atom === '.' || atom[0] === '[' || (atom[0] === '\\' && !placeEscapes.has(atom));
}

/** The regex engine itself decides whether the atom can match a newline. */
function withoutNewline(atom: string, flags: string): string {
  if (!new RegExp(`^${atom}$`, flags).test('\n')) return atom;
  // These two are common, and faster in this form.
  if (atom === '\\s') return '[^\\S\\n]';
  if (/^\[\^[^-]/.test(atom)) return `[^\\n${atom.slice(2)}`;
  return `(?:(?!\\n)${atom})`;
}

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
    throw new Failure('bad-input', 'an empty pattern matches every line', 'give a text, or leave it out');
  }
  if (written.includes('\n')) {
    throw new Failure(
      'bad-input',
      `the pattern ${showPattern(written)} spans more than one line and can never match`,
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

/** A client that is notified of the end is not notified of lines before it. */
export function settleWishes(wishes: NoticeWishes): { wishes: NoticeWishes; warning: string | null } {
  const { events, patterns } = wishes;
  if (patterns.length === 0 || !events.includes('exit')) return { wishes, warning: null };
  const which = patterns.length === 1 ? `${showPattern(patterns[0] ?? '')} is` : `${patterns.length} are`;
  return {
    wishes: { ...wishes, patterns: [] },
    warning: `--watch cannot be combined with --notify: ${which} dropped`,
  };
}

/** The version that started a run may have accepted a pattern that is refused now. */
export function usablePatterns(all: readonly string[]): { patterns: string[]; refused: string[] } {
  const refused: string[] = [];
  const patterns = all.filter((pattern) => {
    try {
      return readPatterns([pattern]).length > 0;
    } catch (error) {
      refused.push((error as Error).message);
      return false;
    }
  });
  return { patterns, refused };
}

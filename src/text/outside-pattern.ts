import { codeCost, readPatternTree } from './pattern-ways.js';

/** Longest pattern from a file, a command line or a client. */
export const patternCharsMax = 1000;
/** The engine compiles such a pattern in 20 ms on a busy machine: decision 17. */
const codeCostMax = 200_000;

/** Why a pattern is refused, as the end of a sentence about it, and what to write instead. */
export interface RefusedPattern {
  refused: string;
  instead: string;
}

/**
 * Compiles an untrusted regular expression. It is refused when compiling could take long, because that cannot be
 * interrupted. The time on a text is bounded where it is used (`run/output/within-time.ts`).
 */
export function compilePattern(source: string, flags = ''): RegExp | RefusedPattern {
  if (source.length > patternCharsMax) {
    return { refused: `is longer than ${patternCharsMax} characters`, instead: 'write a shorter pattern' };
  }
  if (flags.includes('v')) {
    return { refused: 'has the flag v', instead: 'write it without this flag, or with u' };
  }
  let regex: RegExp;
  try {
    regex = new RegExp(source, flags);
  } catch (error) {
    return {
      refused: `is not a regular expression (${(error as Error).message.split(': ').at(-1)})`,
      instead: 'write it as JavaScript does, such as (\\d+)/(\\d+)',
    };
  }
  if (flags.includes('u') && /\\p\{/i.test(source)) {
    return { refused: 'contains a Unicode property', instead: 'list the characters: [a-zà-ž] for \\p{Ll}' };
  }
  if (isDear(regex)) {
    return {
      refused: 'has too many alternatives within repetitions',
      instead: 'write [abc] for (?:a|b|c), or use two patterns',
    };
  }
  return regex;
}

/** Whether compiling could take long. */
export function isDear({ source, unicode }: RegExp): boolean {
  return codeCost(readPatternTree(source, unicode)) > codeCostMax;
}

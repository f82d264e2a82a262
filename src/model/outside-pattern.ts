import { readPatternTree } from './pattern-tree.js';
import { codeCost } from './pattern-ways.js';

/** Of a pattern from a file, a command line or a client. */
export const patternCharsMax = 1000;
/** On a busy machine the engine makes code of such a pattern in 20 ms: decision 17. */
const codeCostMax = 200_000;

/** Why a pattern is not taken, as the end of a sentence about it, and what to write instead. */
export interface RefusedPattern {
  refused: string;
  instead: string;
}

/**
 * A regular expression from outside. It is refused when the engine could take long to make code of it, as that cannot
 * be interrupted. How long it takes on a text is bounded where it is used (`supervise/within-time.ts`).
 */
export function compilePattern(source: string, flags = ''): RegExp | RefusedPattern {
  if (source.length > patternCharsMax) {
    return { refused: `is longer than ${patternCharsMax} characters`, instead: 'write a shorter one' };
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
    return { refused: 'has a Unicode property in it', instead: 'name the characters: [a-zà-ž] for \\p{Ll}' };
  }
  if (isDear(regex)) {
    return {
      refused: 'has too many alternatives within repetitions',
      instead: 'write [abc] for (?:a|b|c), and two patterns instead of one',
    };
  }
  return regex;
}

/** The engine could take long to make code of it. */
export function isDear({ source, unicode }: RegExp): boolean {
  return codeCost(readPatternTree(source, unicode)) > codeCostMax;
}

/** The parts of a regular expression that matter for the number of ways to match a text. */
export type PatternNode =
  | { kind: 'empty' }
  /** One character; `ways`: number of alternatives the engine makes of it. */
  | { kind: 'character'; ways: number }
  | { kind: 'sequence' | 'choice'; parts: PatternNode[] }
  | { kind: 'repeat'; body: PatternNode; max: number };

/** With the flag u the engine makes several alternatives of a class: one per range of surrogates. */
const unicodeClassWays = 4;

const groupStart = /\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?/y;
const quantifier = /(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/y;
const escapeSequence =
  /\\(?:(?<place>[bB])|(?<group>[1-9]\d*|k<[^>]*>)|(?<class>[dDwWsS])|[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|.)/sy;
const characterClass = /\[(?:\\.|[^\]\\])*\]/sy;

/** Parses a source that `new RegExp` has accepted without the flag v. */
export function readPatternTree(source: string, isUnicode: boolean): PatternNode {
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (match !== null) at = pattern.lastIndex;
    return match;
  };
  const classOf = (): PatternNode => ({ kind: 'character', ways: isUnicode ? unicodeClassWays : 1 });

  function choice(): PatternNode {
    const parts = [sequence()];
    while (source[at] === '|') {
      at += 1;
      parts.push(sequence());
    }
    return parts.length === 1 ? (parts[0] as PatternNode) : { kind: 'choice', parts };
  }

  function sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(repeated(atom()));
    return { kind: 'sequence', parts };
  }

  function repeated(body: PatternNode): PatternNode {
    const match = take(quantifier);
    if (match === null) return body;
    const [text, min, comma, max] = match;
    if (text[0] === '?') return { kind: 'repeat', body, max: 1 };
    const most = min === undefined || (comma !== undefined && max === '') ? Infinity : Number(max ?? min);
    return { kind: 'repeat', body, max: most };
  }

  function atom(): PatternNode {
    if (take(groupStart) !== null) {
      const inner = choice();
      at += 1;
      return inner;
    }
    if (take(characterClass) !== null) return classOf();
    const escaped = take(escapeSequence)?.groups;
    if (escaped !== undefined) {
      if (escaped.place !== undefined) return { kind: 'empty' };
      // A back-reference may match nothing or any text.
      if (escaped.group !== undefined)
        return { kind: 'repeat', body: { kind: 'character', ways: 1 }, max: 1 };
      return escaped.class === undefined ? { kind: 'character', ways: 1 } : classOf();
    }
    const character = source[at];
    at += 1;
    if (character === '^' || character === '$') return { kind: 'empty' };
    return character === '.' ? classOf() : { kind: 'character', ways: 1 };
  }

  return choice();
}

/** The parts of a regular expression that matter for the number of ways to match a text. */
type PatternNode =
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

/** Characters that the engine looks ahead when it compiles a pattern, along each way to match them. */
const lookAhead = 4;
/** A pattern that needs more steps to count has too many ways. */
const stepsMax = 20_000;

/** Number of ways to match from a place, by the number of characters looked at: 0 to 4. */
type Ways = readonly number[];

/**
 * Grows with the time that the engine takes to compile a pattern: for each alternative and repetition, the largest
 * number of ways from any place to match the next four characters.
 */
export function codeCost(pattern: PatternNode): number {
  return waysOf(pattern) * (1 + branchesOf(pattern));
}

function branchesOf(node: PatternNode): number {
  if (node.kind === 'repeat') return 1 + branchesOf(node.body);
  if (node.kind === 'empty' || node.kind === 'character') return 0;
  const own = node.kind === 'choice' ? node.parts.length : 0;
  return node.parts.reduce((sum, part) => sum + branchesOf(part), own);
}

function waysOf(pattern: PatternNode): number {
  let steps = 0;
  let most = 0;

  function read(node: PatternNode, after: Ways): Ways {
    steps += 1;
    if (steps > stepsMax) return after;
    const ways = waysThrough(node, after);
    most = Math.max(most, ways[lookAhead] ?? 0);
    return ways;
  }

  function waysThrough(node: PatternNode, after: Ways): Ways {
    switch (node.kind) {
      case 'empty':
        return after;
      case 'character':
        return after.map((_, chars) => (chars === 0 ? 1 : node.ways * (after[chars - 1] ?? 0)));
      case 'sequence':
        return node.parts.reduceRight((rest, part) => read(part, rest), after);
      case 'choice':
        return node.parts.map((part) => read(part, after)).reduce(add);
      case 'repeat': {
        let ways = after;
        for (let times = 0; times < Math.min(lookAhead, node.max); times++) {
          ways = add(after, without(read(node.body, ways), emptyWays(node.body), ways));
        }
        return ways;
      }
    }
  }

  read(
    pattern,
    Array.from({ length: lookAhead + 1 }, () => 1),
  );
  return steps > stepsMax ? Infinity : most;
}

/** Number of ways through it without a character; an assertion such as \b counts, because it is code of its own. */
function emptyWays(node: PatternNode): number {
  switch (node.kind) {
    case 'repeat':
      return 1;
    case 'empty':
    case 'character':
      return 0;
    case 'sequence':
      return node.parts.reduce((product, part) => product * emptyWays(part), 1);
    case 'choice':
      return node.parts.reduce((total, part) => total + emptyWays(part), 0);
  }
}

function without(all: Ways, empty: number, after: Ways): Ways {
  return all.map((ways, chars) => Math.max(0, ways - empty * (after[chars] ?? 0)));
}

function add(some: Ways, others: Ways): Ways {
  return some.map((ways, chars) => (chars === 0 ? 1 : ways + (others[chars] ?? 0)));
}

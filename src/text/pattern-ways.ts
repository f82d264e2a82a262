import type { PatternNode } from './pattern-tree.js';

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

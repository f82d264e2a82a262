const newline = 0x0a;

/** Where the lines with these numbers end; the numbers ascend. */
export function newlinesOf(lines: Uint8Array, numbers: readonly number[]): number[] {
  let number = -1;
  let at = -1;
  return numbers.map((wanted) => {
    for (; number < wanted; number++) at = lines.indexOf(newline, at + 1);
    return at;
  });
}

/** What is in any of the lists; each ascends, and so does this. */
export function unionOf(lists: readonly number[][]): number[] {
  const [only = [], ...others] = lists.filter((list) => list.length > 0);
  if (others.length === 0) return only;
  return [...new Set([only, ...others].flat())].sort((a, b) => a - b);
}

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

/** The numbers of the lines that end there; the places ascend. */
export function lineNumbersOf(text: string, ends: readonly number[]): number[] {
  let number = -1;
  let at = -1;
  return ends.map((end) => {
    for (; at < end; number++) at = text.indexOf('\n', at + 1);
    return number;
  });
}

/** The union of the lists. Each list ascends, and so does the result. */
export function unionOf(lists: readonly (readonly number[])[]): readonly number[] {
  return lists.filter((list) => list.length > 0).reduce(unionOfTwo, []);
}

function unionOfTwo(some: readonly number[], others: readonly number[]): readonly number[] {
  if (some.length === 0) return others;
  const all: number[] = [];
  let next = 0;
  for (const one of some) {
    for (let other = others[next]; other !== undefined && other <= one; other = others[next]) {
      if (other < one) all.push(other);
      next += 1;
    }
    all.push(one);
  }
  for (; next < others.length; next++) all.push(others[next] ?? 0);
  return all;
}

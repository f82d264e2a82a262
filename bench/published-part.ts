/** The page with this part in the place of what the same command wrote before. Between its two lines nothing is written by hand. */
export function replacePart(page: string, command: string, part: string): string {
  const [begin, end] = ['begin', 'end'].map((word) => `<!-- made by ${command}: ${word} -->`) as [
    string,
    string,
  ];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/benchmarks.md has lost the lines "${begin}" and "${end}"`);
  return `${page.slice(0, from + begin.length)}\n\n${part}\n\n${page.slice(to)}`;
}

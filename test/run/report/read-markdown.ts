/** What is left of a document when its code is taken out, and whether all its fences are closed. */
export function readMarkdown(text: string): { prose: string[]; fences: string[][]; balanced: boolean } {
  const prose: string[] = [];
  const fences: string[][] = [];
  let open: { length: number; lines: string[] } | null = null;
  for (const line of text.split('\n')) {
    const fence = /^ {0,3}(`{3,}|~{3,})([^`]*)$/.exec(line);
    if (open !== null) {
      if (fence?.[1]?.startsWith('`') && fence[1].length >= open.length && fence[2]?.trim() === '') {
        fences.push(open.lines);
        open = null;
      } else open.lines.push(line);
    } else if (fence !== null) open = { length: fence[1]?.length ?? 0, lines: [] };
    else prose.push(withoutSpans(line));
  }
  return { prose, fences, balanced: open === null };
}

/** Code spans as CommonMark finds them: a run of backticks up to the next run of the same length. */
function withoutSpans(line: string): string {
  let rest = line;
  let kept = '';
  for (;;) {
    const start = /^((?:\\.|[^\\`])*)(`+)/.exec(rest);
    if (start === null) return kept + rest;
    const [whole, before = '', run = ''] = start;
    const after = rest.slice(whole.length);
    const end = new RegExp(`(?<!\`)${run}(?!\`)`).exec(after);
    if (end === null) return `${kept}UNCLOSED${rest}`;
    kept += before;
    rest = after.slice(end.index + run.length);
  }
}

/** Splits a line as a shell does: blanks, quotes and backslashes; nothing is expanded. null: a quote is open. */
export function splitWords(line: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let quote: '"' | "'" | null = null;
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at] as string;
    if (quote !== null) {
      if (char === quote) quote = null;
      else if (char === '\\' && quote === '"' && '"\\$`'.includes(line[at + 1] ?? ' '))
        word += line[++at] ?? '';
      else word += char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else {
      if (char === '\\') at += 1;
      word = (word ?? '') + (line[at] ?? '');
    }
  }
  if (word !== null) words.push(word);
  return quote === null ? words : null;
}

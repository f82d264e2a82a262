/**
 * Whether a pattern with * for anything matches the whole text. Each part between two stars is matched at its first
 * place: a later place never succeeds where the first fails. So there is no backtracking.
 */
export function fitsGlob(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

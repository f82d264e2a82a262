/**
 * Whether a pattern with * for anything fits the whole of a text. Each part between two stars is taken where it
 * first fits: a later place never fits what an earlier one does not. So nothing is ever tried again.
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

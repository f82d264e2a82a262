const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const closers: Readonly<Record<number, string>> = { 123: '}', 91: ']' };

/**
 * The beginning of a JSON text, made whole again: what was complete before the cut stays, open brackets are closed.
 * null: nothing was complete.
 */
export function closeCut(text: string): string | null {
  const open: string[] = [];
  let end = 0;
  let closing = '';
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === backslash) at++;
      else if (code === quote) inString = false;
      continue;
    }
    const closer = closers[code];
    if (code === quote) inString = true;
    else if (closer !== undefined) open.push(closer);
    else if (code === 0x7d || code === 0x5d) open.pop();
    else if (code === comma) {
      end = at;
      closing = open.toReversed().join('');
    }
  }
  return end === 0 ? null : text.slice(0, end) + closing;
}

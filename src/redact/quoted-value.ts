/** Position of a value in a text without its quotes, and where the text continues. */
export interface ValueSpan {
  from: number;
  to: number;
  end: number;
}

/** A quote inside single quotes, as a shell needs it. */
const shellQuote = String.raw`'\''`;
const otherShellQuote = `'"'"'`;
const backslashesMax = 7;

/** The quote that begins here, with its backslashes inside another quote; null: none. */
export function quoteAt(text: string, at: number): string | null {
  if (text.startsWith(shellQuote, at)) return shellQuote;
  let end = at;
  while (text[end] === '\\' && end - at < backslashesMax) end += 1;
  return text[end] === '"' || text[end] === "'" ? text.slice(at, end + 1) : null;
}

/** The quote that ends right before; null: none. */
export function quoteBefore(text: string, at: number): string | null {
  if (text.startsWith(shellQuote, at - shellQuote.length)) return shellQuote;
  const quote = text[at - 1];
  if (quote !== '"' && quote !== "'") return null;
  return text.slice(at - 1 - backslashesBefore(text, at - 1, 0), at);
}

/**
 * From `at`, after `quote`, to where it closes; an unclosed quote takes all the rest, to mask too much rather than too
 * little.
 */
export function quotedSpan(text: string, at: number, quote: string): ValueSpan {
  const mark = quote === shellQuote ? "'" : quote.slice(-1);
  const depth = quote === shellQuote ? 0 : quote.length - 1;
  for (let next = text.indexOf(mark, at); next !== -1; next = text.indexOf(mark, next)) {
    if (quote === shellQuote) {
      const end = text.startsWith(shellQuote, next) ? next + shellQuote.length : next;
      return { from: at, to: next, end };
    }
    const escaped = mark === "'" ? escapedQuoteLength(text, next) : 0;
    const backslashes = backslashesBefore(text, next, at);
    if (escaped > 0) next += escaped;
    else if (depth === 0 ? backslashes % 2 === 1 : backslashes > depth) next += 1;
    // Fewer backslashes close the surrounding quote, and the value with it.
    else
      return { from: at, to: next - Math.min(backslashes, depth), end: next + (backslashes < depth ? 0 : 1) };
  }
  return { from: at, to: text.length, end: text.length };
}

/** A value as a shell or JSON would read it: `a`, `a\ b`, `'a b'`, `"a \" b"`, `a'b c'`. */
export function valueAt(text: string, at: number, endsAtAmpersand: boolean): ValueSpan {
  const first = quoteAt(text, at);
  let end = at;
  if (first !== null) {
    const span = quotedSpan(text, at + first.length, first);
    if (endsWord(text, span.end)) return span;
    end = span.end;
  }
  while (end < text.length) {
    const character = text.charAt(end);
    if (/\s/.test(character) || (endsAtAmpersand && character === '&')) break;
    const quote = quoteAt(text, end);
    if (quote === null) {
      end = Math.min(end + (character === '\\' ? 2 : 1), text.length);
    } else if (endsWord(text, end + quote.length)) {
      // It closes the quote around the value.
      break;
    } else {
      end = quotedSpan(text, end + quote.length, quote).end;
    }
  }
  return { from: at, to: end, end };
}

/** Whether the word ends after a closed quote, or only the surrounding quote follows. */
export function endsWord(text: string, at: number): boolean {
  const next = at + (quoteAt(text, at)?.length ?? 0);
  return next >= text.length || /[\s,;:)}\]&|<>"'\\]/.test(text.charAt(next));
}

function escapedQuoteLength(text: string, at: number): number {
  return [shellQuote, otherShellQuote].find((quote) => text.startsWith(quote, at))?.length ?? 0;
}

function backslashesBefore(text: string, at: number, from: number): number {
  let count = 0;
  while (at - count > from && text[at - count - 1] === '\\') count += 1;
  return count;
}

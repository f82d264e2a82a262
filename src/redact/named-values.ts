import { endsWord, quoteAt, quoteBefore, quotedSpan, type ValueSpan, valueAt } from './quoted-value.js';
import { isSecretParameter, mask, type SecretKind, secretKindOf } from './secret-names.js';

/** A word before the secret that names its scheme: `Authorization: Bearer x`. */
const scheme = /(?:bearer|basic|digest|token|apikey|negotiate)\s+/iy;

/** `--token=x`, `"token": "x"`, `token := x`, `token%3Dx`; what closes the name comes first. */
const assignment = /\\{0,7}["']?\s*(?::=|=>|[=:]|%3[AaDd])\s*/y;

interface Named {
  kind: SecretKind;
  start: number;
  /** Text between the name and its value. */
  sign: string;
  at: number;
}

/** Masks the values of names: `--token=x`, `PASSWORD='a b'`, `"api_key": "x"`, `Cookie: a=b; c=d`. */
export function maskNamedValues(text: string, isOneWord: boolean): string {
  // A command usually has none, and the expressions below take a moment when they are first used.
  if (!/[=:]|%3/.test(text)) return text;
  const runs = /[\w.-]+/g;
  let shown = '';
  let done = 0;
  let open = '';
  let seen = 0;
  // Every run of letters is read once, and masked text is not read again, so the time is linear.
  for (let run = runs.exec(text); run !== null; run = runs.exec(text)) {
    open = openQuote(text, seen, run.index, open);
    seen = runs.lastIndex;
    const named = namedAt(text, run.index, run[0]);
    if (named === null) continue;
    const value = namedValue(text, named, open, isOneWord && run.index === 0);
    if (value.from >= value.to) continue;
    shown += text.slice(done, value.from) + mask;
    done = value.to;
    seen = value.end;
    runs.lastIndex = value.end;
  }
  return shown + text.slice(done);
}

function namedAt(text: string, start: number, name: string): Named | null {
  const before = text.charAt(start - 1);
  const isParameter = (before === '?' || before === '&') && isSecretParameter(name);
  const kind = isParameter ? 'plain' : secretKindOf(name);
  if (kind === null) return null;
  assignment.lastIndex = start + name.length;
  const sign = assignment.exec(text)?.[0];
  if (sign === undefined) return null;
  const next = text.slice(assignment.lastIndex, assignment.lastIndex + 8);
  // `/etc/passwd: not found`, `http://auth:80`, `auth::login` and the script `auth:dev` contain no secret.
  if (sign.trim() === ':' && before === '/') return null;
  if (sign === ':' && (next.startsWith(':') || /^auth$/i.test(name))) return null;
  // `signature: unknown` is a message; `pip install some-auth==1.2` names a version.
  if ((kind === 'signature' && sign.trim() === ':') || /^=\d+\.\d/.test(next)) return null;
  return { kind, start, sign, at: assignment.lastIndex };
}

function namedValue(
  text: string,
  { kind, start, sign, at }: Named,
  open: string,
  isWord: boolean,
): ValueSpan {
  const nothing = { from: at, to: at, end: at };
  if (isWord) return { ...afterScheme(text, at), to: text.length, end: text.length };
  const around = quoteBefore(text, start);
  const isClosed = /^\\*["']/.test(sign);
  // "X-Auth-Token: a b" extends to its quote; in sh -c 'TOKEN=x npm test' a script begins.
  if (around !== null && !isClosed && !isScript(text, start - around.length)) {
    return { ...quotedSpan(text, at, around), ...afterScheme(text, at) };
  }
  const quote = quoteAt(text, at);
  if (quote !== null) {
    const closesOuter = quote === open && !isClosed && endsWord(text, at + quote.length);
    if (closesOuter) return nothing;
    const span = valueAt(text, at, true);
    return span.from === at ? span : { ...span, ...afterScheme(text, span.from) };
  }
  const { from } = afterScheme(text, at);
  const span = valueAt(text, from, true);
  if (kind === 'cookie')
    return longer(text, span, /(?<=;)\s+[^\s=;"']+=[^\s"';]*;?/y, Number.POSITIVE_INFINITY);
  // An unknown scheme and its secret, or the secret alone; an option or an address is neither.
  const isWordOfLetters = from === at && /^[a-z][\w-]{0,30}$/i.test(text.slice(span.from, span.to));
  return kind === 'authorization' && isWordOfLetters
    ? longer(text, span, /\s+(?![-'"]|[a-z]{1,10}:\/\/)[^\s"']+/iy, 1)
    : span;
}

function afterScheme(text: string, at: number): { from: number } {
  scheme.lastIndex = at;
  return { from: scheme.test(text) ? scheme.lastIndex : at };
}

function longer(text: string, span: ValueSpan, more: RegExp, timesMax: number): ValueSpan {
  let { end } = span;
  more.lastIndex = end;
  for (let times = 0; times < timesMax && more.test(text); times += 1) end = more.lastIndex;
  return { ...span, to: end, end };
}

function isScript(text: string, at: number): boolean {
  return /\s-\w{0,4}c\s+$/.test(text.slice(Math.max(0, at - 12), at));
}

/** The quote that is open at `to`; an apostrophe between letters opens none. */
function openQuote(text: string, from: number, to: number, before: string): string {
  let open = before;
  for (let at = from; at < to; at += 1) {
    const character = text.charAt(at);
    if (character !== '"' && character !== "'") continue;
    if (text[at - 1] === '\\') continue;
    const isApostrophe = /\w/.test(text.charAt(at - 1)) && /\w/.test(text.charAt(at + 1));
    if (open === character) open = '';
    else if (open === '' && !isApostrophe) open = character;
  }
  return open;
}

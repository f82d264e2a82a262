import { ArgumentWatch, maskArguments } from './arguments.js';
import { maskNamedValues } from './named-values.js';
import { mask } from './secret-names.js';

const schemeCharsMax = 30;

/** Masks the password in a URL, and a token alone before its host. */
function maskUrls(text: string): string {
  if (!text.includes('://')) return text;
  // Up to the next `://`: a URL may contain another, and nothing is read twice.
  return text.replace(/:\/\/((?:(?!:\/\/)[^\s"'`<>])*)/g, (_, rest: string, at: number) => {
    const scheme = /[a-z][a-z\d+.-]*$/i.exec(text.slice(Math.max(0, at - schemeCharsMax), at))?.[0] ?? '';
    return `://${scheme === '' ? rest : maskUserinfo(rest, /https?$/i.test(scheme))}`;
  });
}

function maskUserinfo(rest: string, isWeb: boolean): string {
  if (rest.startsWith('[')) return rest;
  const authority = rest.slice(0, Math.max(0, rest.search(/[/?#]|$/)));
  // Only web paths sometimes contain an @: elsewhere it belongs to a password with a slash.
  const inAuthority = authority.lastIndexOf('@');
  const last = inAuthority !== -1 && isWeb ? inAuthority : rest.lastIndexOf('@');
  const colon = authority.indexOf(':');
  if (inAuthority === -1) {
    if (colon === -1 || mayBePort(rest, colon, isWeb)) return rest;
    // Without its @, the text was cut.
    return rest.slice(0, colon + 1) + mask + (last > colon ? rest.slice(last) : '');
  }
  if (colon === -1 || colon > inAuthority) {
    const isName = !isWeb || inAuthority === 0 || authority.startsWith('git@');
    return isName ? rest : mask + rest.slice(inAuthority);
  }
  const password = rest.slice(colon + 1, last);
  // https://TOKEN:x-oauth-basic@host: the user is the secret.
  const isUserSecret = isWeb && colon > 0 && /^(?:x|x-oauth-basic)?$/i.test(password);
  return (isUserSecret ? `${mask}:${password}` : `${rest.slice(0, colon + 1)}${mask}`) + rest.slice(last);
}

/** `h:80`, `h:$PORT`, `h:`. Anything else is a password, and so is a number before an @ outside the web. */
function mayBePort(rest: string, colon: number, isWeb: boolean): boolean {
  const port = /[^/?#]*/y;
  port.lastIndex = colon + 1;
  const text = port.exec(rest)?.[0] ?? '';
  const hasAt = rest.slice(port.lastIndex).split('?', 1)[0]?.includes('@') === true;
  if (text === '') return !hasAt;
  return /^[$%{<]/.test(text) || (/^\d{1,5}$/.test(text) && (isWeb || !hasAt));
}

/**
 * Secrets that are recognised by their form. Each pattern begins with fixed letters and has an open end, so no text
 * makes it slow.
 */
const recognised: [pattern: RegExp, replacement: string][] = [
  [
    /(-----BEGIN [A-Z\d ]{0,40}PRIVATE KEY(?: BLOCK)?-----)[\s\S]*?(?=-----END [A-Z\d ]{0,40}PRIVATE KEY|$)/g,
    `$1${mask}`,
  ],
  [/\b(bearer)\s+[\w+/=.~-]{6,}/gi, `$1 ${mask}`],
  [/\b([Bb]asic)\s+(?=\S*[A-Z\d=])[\w+/=.~-]{6,}/g, `$1 ${mask}`],
  [
    /\b(sk-|sk_live_|sk_test_|rk_live_|gh[pousr]_|github_pat_|glpat-|xox[abprs]-|AKIA|ASIA|AIza|pypi-|ya29\.|hv[sbr]\.|dop_v1_|dckr_pat_|shpat_|AGE-SECRET-KEY-)[\w.-]{12,}/g,
    `$1${mask}`,
  ],
  [/\b(npm_|hf_)[A-Za-z0-9]{20,}/g, `$1${mask}`],
  // JSON in base64, the start of a JSON web token; a cut token has no dot.
  [/\b(eyJ)[\w-]{10,}[\w.-]*/g, `$1${mask}`],
];

/** A shorter text contains none of them: `basic` and six characters. */
const recognisedMin = 12;

/** Masks values in a command line that look like secrets, before it is shown or stored. */
export function redact(text: string): string {
  return redactValues(maskArguments(text), false);
}

/** The same for separate arguments: a secret extends to the end of its argument. */
export function redactWords(words: readonly string[], spell: (word: string) => string): string {
  const watch = new ArgumentWatch();
  const masked = words.map((word, index) => {
    const secretAt = watch.secretAt(word);
    if (secretAt !== null) return word.slice(0, secretAt) + mask;
    // After -c the argument is a script: sh -c 'TOKEN=x npm test'.
    const isScript = /^-\w{0,4}c$/.test(words[index - 1] ?? '');
    return redactValues(maskArguments(word), !isScript);
  });
  // `X-Api-Key:` and its value may be two arguments.
  return redact(masked.map(spell).join(' '));
}

/** How far back a cut goes to find the end of a word. */
const cutBackMax = 256;

/**
 * Cuts a text that is too long to mask and show; at the end of a word, because half a token would not be recognised.
 */
export function cutBeforeRedact(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  let end = charsMax;
  while (end > charsMax - cutBackMax && end > 0 && /[\w.-]/.test(text.charAt(end - 1))) end -= 1;
  return `${text.slice(0, end)}…`;
}

function redactValues(text: string, isOneWord: boolean): string {
  const named = maskUrls(maskNamedValues(text, isOneWord));
  return named.length < recognisedMin
    ? named
    : recognised.reduce((masked, [pattern, replacement]) => masked.replace(pattern, replacement), named);
}

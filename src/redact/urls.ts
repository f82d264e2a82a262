import { mask } from './secret-names.js';

const schemeCharsMax = 30;

/** Masks the password in a URL, and a token alone before its host. */
export function maskUrls(text: string): string {
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

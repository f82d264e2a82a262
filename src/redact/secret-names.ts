/** Replaces every secret, whatever its length. */
export const mask = '***';

/** How the value of a secret is written after its name. */
export type SecretKind = 'plain' | 'authorization' | 'cookie' | 'signature';

/** Excludes author, authority and a number of tokens. */
const keyword = new RegExp(
  [
    'token(?!s|i)',
    'secret(?!ar)',
    'passw(?:or)?d',
    'pass[-_]?phrase',
    '(?<![a-z])(?:db|user|root|admin|smtp|my|pg)?pass(?:in|out)?(?![a-z])',
    '(?<![a-z])pwd(?![a-z])',
    '(?:api|access|private|account|signing|encryption|master)[-_]?key',
    'credential',
    'auth(?!or(?!iz(?!ed))|enticat)',
    'bearer',
  ].join('|'),
);

/** `TOKEN_FILE` names a file with the secret, `--no-auth` has no secret, `PWD` is a directory of the shell. */
const isAboutSecret =
  /^(?:-{0,2}no-|PWD$)|[-_](?:file|path|dir|stdin|prompt|type|mode|method|url|uri|endpoint|env|fd|name|helper|provider|policy)$/i;

/** null: not a secret. The last part of `spring.datasource.password` counts. */
export function secretKindOf(dotted: string): SecretKind | null {
  const name = dotted.slice(dotted.lastIndexOf('.') + 1);
  // The variable of the shell is in capitals; `--pwd` and `Pwd=` of a database are not.
  if (name === 'pwd' || name === 'Pwd') return 'plain';
  // Options are at the beginning of the whole name: `--no-x.password`.
  if (isAboutSecret.test(name) || dotted.startsWith('--no-')) return null;
  const parts = name.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase();
  if (parts.endsWith('authorization')) return 'authorization';
  if (/(?:^|[-_])cookie$/.test(parts)) return 'cookie';
  if (/(?:^|[-_])signature$/.test(parts)) return 'signature';
  return keyword.test(parts) ? 'plain' : null;
}

/** Whether the word after `--password` is its value. */
export function isSecretOption(word: string): boolean {
  if (!/^--?\w[\w.-]*$/.test(word)) return false;
  const kind = secretKindOf(word);
  // `git log --show-signature HEAD`
  return kind !== null && kind !== 'signature';
}

/** Names of secrets only in the query of a URL. */
export function isSecretParameter(name: string): boolean {
  return name === 'sig' || name === 'key';
}

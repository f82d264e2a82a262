/** Stands for every secret, however long it is. */
export const mask = '***';

/** How the value of a secret is written after its name. */
export type SecretKind = 'plain' | 'authorization' | 'cookie' | 'signature';

/** An author, an authority and a number of tokens are none. */
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

/** `TOKEN_FILE` says where the secret lies, `--no-auth` that there is none, `PWD` where the shell is. */
const tellsAboutIt =
  /^(?:-{0,2}no-|PWD$)|[-_](?:file|path|dir|stdin|prompt|type|mode|method|url|uri|endpoint|env|fd|name|helper|provider|policy)$/i;

/** null: what is called so may be shown. `spring.datasource.password` is called by its last part. */
export function secretKindOf(dotted: string): SecretKind | null {
  const name = dotted.slice(dotted.lastIndexOf('.') + 1);
  // The shell's own variable has capitals; `--pwd` and `Pwd=` of a database have not.
  if (name === 'pwd' || name === 'Pwd') return 'plain';
  // Options stand at the front of the whole: `--no-x.password`.
  if (tellsAboutIt.test(name) || dotted.startsWith('--no-')) return null;
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

/** Names that tell of a secret in the query of an address only. */
export function isSecretParameter(name: string): boolean {
  return name === 'sig' || name === 'key';
}

const mask = '***';

/** Names of options and variables whose value is a secret; an author, an authority and a number of tokens are none. */
const secretName =
  '[\\w-]*(?:token(?!s|i)|secret(?!ar)|passw(?:or)?d|passphrase|(?<![a-z])pass(?![a-z])|api[-_]?key|access[-_]?key|private[-_]?key|credential|auth(?!or(?!iz)|enticat)|bearer)[\\w-]*';

/** Without it, every letter of a long word would be tried as the first of a name. */
const wordStart = '(?<![\\w-])';

/** A word before the secret that says how it is written: `Authorization: Bearer x`. */
const scheme = '(?:bearer|basic|digest|token|apikey)';

const rules: [pattern: RegExp, replacement: string][] = [
  // -H 'Authorization: Bearer x'
  [new RegExp(`(\\bauthorization["']?\\s*[=:]\\s*["']?${scheme})\\s+[^\\s"']+`, 'gi'), `$1 ${mask}`],
  // --token=x, PASSWORD=x, "api_key": "x"
  [
    new RegExp(`(${wordStart}${secretName}["']?\\s*[=:]\\s*["']?)(?!\\s|${scheme}\\s)[^\\s"'&]+`, 'gi'),
    `$1${mask}`,
  ],
  // --password x
  [new RegExp(`(${wordStart}--?${secretName}\\s+)(?!-)\\S+`, 'gi'), `$1${mask}`],
  [/\b(bearer)\s+[\w+/=.~-]{6,}/gi, `$1 ${mask}`],
  [/\b([Bb]asic)\s+(?=\S*[A-Z\d=])[\w+/=.~-]{6,}/g, `$1 ${mask}`],
  // https://user:password@host; a password may hold an @ itself
  [/([a-z][\w+.-]*:\/\/[^\s/:@]*:)[^\s/]+@/gi, `$1${mask}@`],
  // curl -u user:secret, but not docker run -u 1000:1000
  [/(\s(?:-u\s*|--user[\s=])[^\s:]+:)(?!\d+(?:\s|$))\S+/g, `$1${mask}`],
  // mysql -pSECRET, sshpass -p SECRET, redis-cli -a SECRET
  [/\b((?:mysql|mariadb)[\w-]*\s(?:.*?\s)?-p)(?=\S)\S+/g, `$1${mask}`],
  [/\b(sshpass\s(?:.*?\s)?-p\s*)\S+/g, `$1${mask}`],
  [/\b(redis-cli\s(?:.*?\s)?-a\s+)\S+/g, `$1${mask}`],
  // tokens that tell themselves by their first letters
  [
    /\b(sk-|sk_live_|sk_test_|rk_live_|gh[pousr]_|github_pat_|glpat-|xox[abprs]-|AKIA|ASIA|AIza|pypi-|ya29\.)[\w.-]{12,}/g,
    `$1${mask}`,
  ],
  [/\b(npm_|hf_)[A-Za-z0-9]{20,}/g, `$1${mask}`],
  [/\b(eyJ)[\w-]+\.[\w.-]+/g, `$1${mask}`],
];

/** A command line as it may be shown and stored: values that look like secrets are masked. */
export function redact(text: string): string {
  return rules.reduce((masked, [pattern, replacement]) => masked.replace(pattern, replacement), text);
}

const mask = '***';

/** Names of options and variables whose value is a secret. */
const secretName =
  '[\\w-]*(?:token|secret|passw(?:or)?d|passphrase|api[-_]?key|access[-_]?key|private[-_]?key|credential|auth(?:orization)?|bearer)[\\w-]*';

const rules: [pattern: RegExp, replacement: string][] = [
  // --token=x, PASSWORD=x, "api_key": "x"
  [new RegExp(`(${secretName}["']?\\s*[=:]\\s*["']?)(?!\\s)[^\\s"'&]+`, 'gi'), `$1${mask}`],
  // --password x, -H 'Authorization: Bearer x'
  [new RegExp(`(--?${secretName}\\s+)(?!-)\\S+`, 'gi'), `$1${mask}`],
  [/\b(bearer|basic)\s+[\w+/=.~-]{6,}/gi, `$1 ${mask}`],
  // https://user:password@host
  [/([a-z][\w+.-]*:\/\/[^\s/:@]*:)[^\s/@]+@/gi, `$1${mask}@`],
  // mysql -pSECRET, curl -u user:secret
  [/(\s-u\s*[^\s:]+:)\S+/g, `$1${mask}`],
  // tokens that tell themselves by their first letters
  [
    /\b(sk-|gh[pousr]_|github_pat_|glpat-|xox[abprs]-|AKIA|ASIA|AIza|npm_|pypi-|hf_|eyJ)[\w.-]{12,}/g,
    `$1${mask}`,
  ],
];

/** A command line as it may be shown and stored: values that look like secrets are masked. */
export function redact(text: string): string {
  return rules.reduce((masked, [pattern, replacement]) => masked.replace(pattern, replacement), text);
}

import { type ValueSpan, valueAt } from './quoted-value.js';
import { isSecretOption, mask, secretKindOf } from './secret-names.js';

interface SecretFlags {
  /** `-p SECRET` */
  apart: RegExp;
  /** `-pSECRET` */
  joined?: RegExp;
  /** Only after this word: `docker login -p`, not `docker run -p`. */
  after?: string;
}

/** `--token = x` is an assignment, and `--token --all` has two options. */
const isNoValue = /^(?:[=:]|--?(?:[a-z][\w.-]*(?:=.*)?)?|bearer|basic|digest|token)$/i;
const isScheme = /^(?:bearer|basic|digest|token)$/i;
const never = /^$/;
const wordOnly = /\S*/y;

/** Programs whose options take a secret, where the same option means something else in other programs. */
const programs: [name: RegExp, flags: SecretFlags][] = [
  // -p alone asks for it, and -p3306:3306 is a port of docker
  [/^(?:mysql|mariadb)[\w-]*$/, { apart: never, joined: /^-p(?!\d+:\d+$)(?=.)/ }],
  [/^sshpass$/, { apart: /^-p$/, joined: /^-p(?=.)/ }],
  [/^redis-cli$/, { apart: /^-a$/ }],
  [
    /^(?:docker|podman|nerdctl|buildah|skopeo|helm|oras|crane|az|oc)$/,
    { apart: /^-p$/, joined: /^-p(?=.)/, after: 'login' },
  ],
  [/^(?:mongo|mongosh|mongodump|mongorestore|mongoexport|mongoimport)$/, { apart: /^-p$/ }],
  [/^(?:zip|unzip|sqlcmd|bcp)$/, { apart: /^-P$/ }],
  [/^7z[ar]?$/, { apart: never, joined: /^-p(?=.)/ }],
  [/^ssh-keygen$/, { apart: /^-[NP]$/ }],
  [/^openssl$/, { apart: /^-[kK]$/ }],
  [/^ldap[a-z]+$/, { apart: /^-w$/ }],
];

/** Goes through the arguments of a command line and finds secrets from the arguments before them. */
export class ArgumentWatch {
  #program = '';
  #flags: SecretFlags | null = null;
  #isArmed = false;
  #expected: 'option' | 'flag' | 'user' | 'cookie' | null = null;

  /** Start of the secret in this argument; null: no earlier argument announces one. */
  secretAt(word: string): number | null {
    const expected = this.#expected;
    this.#expected = null;
    if (expected === 'flag') return 0;
    if (expected === 'option') {
      const isHeader = word.endsWith(':') && secretKindOf(word.slice(0, -1)) !== null;
      if (!isHeader && !isNoValue.test(word)) return 0;
      if (isScheme.test(word)) this.#expected = expected;
    }
    if (expected === 'cookie' && word.includes('=')) return 0;
    if (expected === 'user' && !word.startsWith('-')) return this.#passwordAt(word, 0);
    return this.#learn(word);
  }

  #learn(word: string): number | null {
    if (/^(?:[;&|]{1,2})$/.test(word) || word.endsWith(';')) this.#enter('');
    if (!word.startsWith('-')) {
      this.#enter(word.slice(word.lastIndexOf('/') + 1));
      // npm config set //registry/:_authToken x
      const underscored = word.lastIndexOf(':_');
      if (underscored !== -1 && secretKindOf(word.slice(underscored + 1)) !== null) this.#expected = 'option';
      return null;
    }
    const flags = this.#isArmed ? this.#flags : null;
    if (flags?.joined?.test(word)) return 2;
    if (flags?.apart.test(word)) this.#expected = 'flag';
    // curl -b a=b has a cookie, curl -b file has none.
    else if (this.#program === 'curl' && word === '-b') this.#expected = 'cookie';
    else if (/^(?:-u|-U|--user|--proxy-user)$/.test(word)) this.#expected = 'user';
    else if (isSecretOption(word)) this.#expected = 'option';
    const user = /^(?:-u(?=[^=])|--(?:proxy-)?user=)/.exec(word);
    return user === null ? null : this.#passwordAt(word, user[0].length);
  }

  #enter(name: string): void {
    const known = programs.find(([program]) => program.test(name))?.[1];
    if (known !== undefined || name === '' || name === 'curl') {
      this.#program = name;
      this.#flags = known ?? null;
      this.#isArmed = known?.after === undefined;
    } else if (name === this.#flags?.after) {
      this.#isArmed = true;
    }
  }

  /** Start of the password in `user:password`, from `from` on; null: a group number, an address, or no pair. */
  #passwordAt(word: string, from: number): number | null {
    const colon = word.indexOf(':', from);
    if (colon === -1 || /^(?:https?|wss?|tcp|unix|ssh|ftp):\/\//.test(word.slice(from, from + 10)))
      return null;
    if (this.#program !== 'curl' && /^\d+$/.test(word.slice(colon + 1))) return null;
    // `curl -u TOKEN:` has an empty password, and the user is the secret.
    return colon === word.length - 1 ? from : colon + 1;
  }
}

/** Masks secrets of options and known programs in a text: `--password 'a b'`, `-u me:x`, `mysql -px`. */
export function maskArguments(text: string): string {
  const watch = new ArgumentWatch();
  const tokens = /\S+/g;
  let shown = '';
  let done = 0;
  for (let token = tokens.exec(text); token !== null; token = tokens.exec(text)) {
    const { lead, word } = bare(token[0]);
    const secretAt = watch.secretAt(word);
    if (secretAt === null) continue;
    const value = secretSpan(text, token.index, token[0].slice(0, lead + secretAt), secretAt === 0);
    shown += text.slice(done, value.from) + mask;
    done = value.to;
    tokens.lastIndex = value.end;
  }
  return shown + text.slice(done);
}

/** `head` is the part of the argument before the secret; a quote in it surrounds the secret too. */
function secretSpan(text: string, start: number, head: string, isWhole: boolean): ValueSpan {
  const quote = head.search(/\\{0,7}["']/);
  const at = start + (quote !== -1 ? quote : isWhole ? 0 : head.length);
  const value = valueAt(text, at, false);
  const from = isWhole ? value.from : Math.max(value.from, start + head.length);
  if (from < value.to) return { ...value, from };
  // Quotes that cannot be parsed: mask the whole argument.
  wordOnly.lastIndex = start;
  const end = start + (wordOnly.exec(text)?.[0].length ?? 0);
  return { from: start, to: end, end };
}

/** The word without the quotes and brackets around it: `"$(mysql` is mysql. */
function bare(token: string): { lead: number; word: string } {
  let lead = 0;
  while (lead < token.length && '\\"\'`($[{'.includes(token.charAt(lead))) lead += 1;
  let end = token.length;
  while (end > lead && '\\"\',`)]}'.includes(token.charAt(end - 1))) end -= 1;
  return { lead, word: token.slice(lead, end) };
}

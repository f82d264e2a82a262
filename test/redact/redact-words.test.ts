import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { maskedArguments } from '../../src/probe/linux/identity/command-line.js';
import { cutBeforeRedact, redact, redactWords } from '../../src/redact/redact.js';
import { commandLine, shellLine } from '../../src/run/prepare.js';

const asIs = (word: string) => word;

/** Words with a place for a secret, and how they are shown. */
const commands: [words: (secret: string) => string[], shown: string][] = [
  [(secret) => ['gpg', '--passphrase', secret, '-d'], 'gpg --passphrase *** -d'],
  [(secret) => ['env', `PASSWORD=${secret}`, 'npm', 'test'], 'env PASSWORD=*** npm test'],
  [(secret) => ['tool', `--token=${secret}`, '-v'], 'tool --token=*** -v'],
  [(secret) => ['curl', '-H', `X-Auth-Token: ${secret}`, 'h'], "curl -H 'X-Auth-Token: ***' h"],
  [
    (secret) => ['curl', '-H', `Authorization: Bearer ${secret}`, 'h'],
    "curl -H 'Authorization: Bearer ***' h",
  ],
  [(secret) => ['curl', '-H', `Cookie: a=b; c=${secret}`, 'h'], "curl -H 'Cookie: ***' h"],
  [(secret) => ['curl', '-u', `me:${secret}`, 'h'], 'curl -u me:*** h'],
  [(secret) => ['mysql', `-p${secret}`, 'db'], 'mysql -p*** db'],
  [(secret) => ['sshpass', '-p', secret, 'ssh', 'h'], 'sshpass -p *** ssh h'],
  [(secret) => ['docker', 'login', '-p', secret, 'h'], 'docker login -p *** h'],
  [(secret) => ['redis-cli', '-a', secret, 'ping'], 'redis-cli -a *** ping'],
  [
    (secret) => ['curl', '-d', JSON.stringify({ password: secret, x: 1 })],
    `curl -d '{"password":"***","x":1}'`,
  ],
];

/** Spaces, quotes, backslashes, letters of other alphabets: whatever may stand in a word. */
const anySecret = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom(...' \'"\\&=:;-@/?#$`\n,{}()*a'),
      fc.string({ unit: 'grapheme', maxLength: 1 }),
    ),
    minLength: 1,
    maxLength: 30,
  })
  .map((text) => `Zq${text.replaceAll('\0', '')}qZ`);

describe('where the arguments are known, a secret goes to the end of its argument', () => {
  property.prop([fc.constantFrom(...commands), anySecret])('whatever is in it', ([words, shown], secret) => {
    expect(commandLine(words(secret))).toBe(shown);
    const bytes = Buffer.from(`${words(secret).join('\0')}\0`);
    expect(maskedArguments(bytes)).toBe(shown.replace(/(?<= )'(.*?)'/g, '$1'));
  });

  test('a script among them is read as a script', () => {
    expect(redactWords(['sh', '-c', "TOKEN=a npm run 'b c'"], asIs)).toBe("sh -c TOKEN=*** npm run 'b c'");
    expect(redactWords(['bash', '-lc', "login --password 'a b' && next"], asIs)).toBe(
      "bash -lc login --password '***' && next",
    );
  });

  test('a name and its value may be two arguments, and an empty value hides no other', () => {
    expect(redactWords(['curl', '-H', 'X-Api-Key:', 'abc', 'h'], asIs)).toBe('curl -H X-Api-Key: *** h');
    expect(redactWords(['ssh-keygen', '-N', '', '-f', 'x'], asIs)).toBe('ssh-keygen -N *** -f x');
    expect(redactWords(['tool', '--token', '--all', 'x'], asIs)).toBe('tool --token --all x');
  });
});

describe('in a text, a quoted secret goes to its quote', () => {
  const asShell = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  const places = ['PASSWORD=', 'run --password ', 'run --password=', '{"token": ', 'sshpass -p '];

  property.prop([fc.constantFrom(...places), fc.constantFrom(asShell, JSON.stringify), anySecret])(
    'whatever is in it',
    (place, quote, secret) => {
      const [first = '', last = ''] = [quote('').slice(0, 1), quote('').slice(-1)];
      // A shell takes a backslash before a quote as it is, all others do not: more is masked then.
      fc.pre(quote !== asShell || !/\\(?:'|qZ$)/.test(secret));
      expect(redact(`${place}${quote(secret)} -v`)).toBe(`${place}${first}***${last} -v`);
    },
  );
});

describe('what is too long is cut before it is masked', () => {
  const token = `ghp_${'a1B2'.repeat(9)}`;

  test('no cut shows a part of a secret', () => {
    for (const secretText of [
      token,
      `https://me:${token}@h/x`,
      `https://${token}@h/x`,
      `--password "a ${token}"`,
    ]) {
      const text = `run ${secretText} next`;
      for (let charsMax = 0; charsMax <= text.length; charsMax += 1) {
        expect(redact(cutBeforeRedact(text, charsMax))).not.toMatch(/a1B2|(?<!\w)ghp_a/);
      }
    }
  });

  test('a line for a shell, a word and the arguments of a process are', () => {
    const long = 'word '.repeat(50_000);
    expect(shellLine(long).length).toBeLessThanOrEqual(10_001);
    expect(commandLine(['echo', long]).length).toBeLessThan(1100);
    expect(maskedArguments(Buffer.from(long.replaceAll(' ', '\0'))).length).toBe(400);
    expect(shellLine('echo short')).toBe('echo short');
  });
});

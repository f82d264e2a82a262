import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { redact } from '../../src/model/redact.js';

const secret = 'hunter2Hunter2';

/** Command lines with a secret in them; the rest must still be readable. */
const shapes: [text: string, readable: string][] = [
  [`deploy --token ${secret} --verbose`, '--verbose'],
  [`deploy --token=${secret} --verbose`, '--token='],
  [`deploy --password "${secret}"`, '--password'],
  [`deploy --password='${secret}' -v`, '-v'],
  [`deploy --secret-key ${secret}`, '--secret-key'],
  [`deploy --apikey ${secret}`, '--apikey'],
  [`env GITHUB_TOKEN=${secret} gh pr list`, 'gh pr list'],
  [`PGPASSWORD=${secret} psql -h db`, 'psql -h db'],
  [`AWS_SECRET_ACCESS_KEY=${secret} aws s3 ls`, 'aws s3 ls'],
  [`SECRET=${secret}`, 'SECRET='],
  [`curl -d {"api_key": "${secret}"} x`, '"api_key"'],
  [`curl -H X-Api-Key: ${secret} https://example.com`, 'https://example.com'],
  [`curl -H Bearer ${secret} https://example.com`, 'https://example.com'],
  [`curl -u user:${secret} https://example.com`, '-u user:'],
  [`curl -uuser:${secret} https://example.com`, 'https://example.com'],
  [`git clone https://user:${secret}@example.com/a.git`, '@example.com/a.git'],
  [`psql postgres://app:${secret}@db:5432/main`, '@db:5432/main'],
  [`redis-cli redis://:${secret}@cache`, '@cache'],
  [`curl https://example.com/?access_token=${secret}&page=2`, '&page=2'],
  [`curl https://example.com/?client_secret=${secret}`, 'client_secret='],
  [`curl -H Authorization: Bearer ${secret} https://example.com`, 'Authorization: Bearer'],
  [`curl -H Authorization: Basic ${secret} https://example.com`, 'Authorization: Basic'],
  [`curl --user user:${secret} https://example.com`, 'https://example.com'],
  [`mysql -uroot -p${secret} db`, 'mysql -uroot'],
  [`sshpass -p ${secret} ssh host`, 'ssh host'],
  [`DB_PASS=${secret} run`, 'DB_PASS='],
  [`deploy --pass ${secret}`, '--pass'],
  [`psql postgres://app:p@${secret}@db/main`, '@db/main'],
];

/** Tokens that tell themselves by their first letters. */
const tokens = [
  `sk-ant-api03-${secret}`,
  `ghp_${secret}abcdef`,
  `github_pat_${secret}`,
  `glpat-${secret}`,
  `sk_live_${secret}`,
  `xoxb-123-${secret}`,
  'AKIAIOSFODNN7EXAMPLE',
  `AIza${secret}`,
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJodW50ZXIyIn0.c2lnbmF0dXJl',
];

const harmless = [
  'node server.js --port 8080',
  'git commit -m fix the token parser',
  'python tokenizer.py',
  'npm test -- auth.test.ts',
  'cat /etc/passwd',
  'vim passwords.txt',
  'ssh -p 22 host.example.com',
  'mkdir -p /a/b',
  'cargo build --package auth',
  'ps -u root',
  'curl https://example.com:8080/path',
  'git clone git@github.com:a/b.git',
  'kubectl get secret my-secret',
  'rsync -a host:/path /other',
  '--no-auth',
  'sort -k 2',
  'git log --author=Jane',
  'llm --max-tokens 4096',
  'docker run -u 1000:1000 image',
  'make -C basic libraries',
  'npm_lifecycle_event_name_long_one',
  '',
];

describe('a command line never shows a secret', () => {
  test.each(shapes)('%s', (text, readable) => {
    expect(redact(text)).not.toContain(secret);
    expect(redact(text)).toContain(readable);
    expect(redact(text)).toContain('***');
  });

  test.each(tokens)('%s', (token) => {
    const masked = redact(`run ${token} now`);
    expect(masked).toMatch(/^run \S*\*\*\* now$/);
    expect(masked).not.toContain(token.slice(-8));
  });

  property.prop([fc.constantFrom(...shapes), fc.stringMatching(/^[\w+/.~-]{8,40}$/)])(
    'whatever the secret is',
    ([text], value) => {
      fc.pre(!text.replaceAll(secret, '').includes(value) && !value.startsWith('-') && !value.includes('/'));
      expect(redact(text.replaceAll(secret, value))).not.toContain(value);
    },
  );
});

describe('everything else stays as it is', () => {
  test.each(harmless)('%j', (text) => {
    expect(redact(text)).toBe(text);
  });

  test('twice is as good as once', () => {
    for (const [text] of shapes) expect(redact(redact(text))).toBe(redact(text));
  });

  property.prop([fc.array(fc.stringMatching(/^[b-z]{1,8}$/), { maxLength: 8 })])('plain words', (words) => {
    const text = words.filter((word) => !/^(bearer|basic)$/.test(word)).join(' ');
    expect(redact(text)).toBe(text);
  });
});

import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { redact } from '../../src/redact/redact.js';

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
  [`psql postgres://app:a/${secret}@db/main`, '@db/main'],
  [`psql postgres://app:a?${secret}@db/main`, '@db/main'],
  [`psql postgres://app:12/${secret}@db/main`, '@db/main'],
  [`git clone https://${secret}@example.com/a.git`, '@example.com/a.git'],
  [`git clone https://${secret}:x-oauth-basic@example.com/a.git`, '@example.com/a.git'],
  [`fetch https://example.com/?next=https://u:${secret}@h/x now`, '@h/x now'],
  [`gpg --passphrase 'correct ${secret} horse' -d f`, "--passphrase '***' -d f"],
  [`gpg --passphrase correct\\ ${secret} -d f`, '-d f'],
  [`PASSWORD='a ${secret} c' npm run`, "PASSWORD='***' npm run"],
  [`PASSWORD='it'\\''s ${secret}' npm run`, 'npm run'],
  [`PASSWORD="a"'b ${secret}' npm run`, 'npm run'],
  [`curl -d '{"password":"a ${secret}","user":"me"}' x`, `'{"password":"***","user":"me"}' x`],
  [`curl -d '{"password":"a\\"${secret} b","user":"me"}' x`, `'{"password":"***","user":"me"}' x`],
  [`curl -d "{\\"password\\":\\"a ${secret}\\",\\"user\\":1}" x`, '\\"user\\":1}" x'],
  [`run ["--password", "a ${secret}", "x"]`, '["--password", "***", "x"]'],
  [`login --pwd=${secret} -v`, '-v'],
  [`MYSQL_PWD=${secret} mysql db`, 'mysql db'],
  [`sqlcmd Server=h;Pwd=${secret} -v`, '-v'],
  [`curl https://h/?a=1&sig=${secret}&b=2`, '&b=2'],
  [`curl https://h/?X-Amz-Signature=${secret}&b=2`, '&b=2'],
  [`curl https://h/?key=${secret}`, '?key='],
  [`curl -H 'Cookie: a=1; sid=${secret}' https://h`, "'Cookie: ***' https://h"],
  [`curl -H Cookie: a=1; sid=${secret} https://h`, 'https://h'],
  [`curl --cookie 'sid=${secret}; b=1' https://h`, 'https://h'],
  [`curl -b sid=${secret} https://h`, 'https://h'],
  [`AccountName=a;AccountKey=${secret}== next`, 'AccountName=a;AccountKey=*** next'],
  [`Endpoint=sb://h/;SharedAccessKey=${secret}= next`, ' next'],
  [`add -----BEGIN RSA PRIVATE KEY-----\n${secret}\n-----END RSA PRIVATE KEY----- x`, 'KEY----- x'],
  [`add -----BEGIN PRIVATE KEY-----\n${secret}`, 'BEGIN PRIVATE KEY'],
  [`curl -H 'Authorization: ${secret}' https://h`, "'Authorization: ***' https://h"],
  [`curl -H 'Authorization: Genie ${secret}' https://h`, 'https://h'],
  [`curl -H Authorization: Genie ${secret} https://h`, 'https://h'],
  [`curl -H 'Authorization: AWS4 Credential=A/b, Signature=${secret}' https://h`, 'https://h'],
  [`curl -H "X-Auth-Token: a ${secret}" https://h`, '"X-Auth-Token: ***" https://h'],
  [`tool --auth Bearer ${secret} -v`, '--auth Bearer *** -v'],
  [`git -c http.extraheader="AUTHORIZATION: basic ${secret}" fetch`, '" fetch'],
  [`curl -u 'me:a ${secret}' https://h`, "-u 'me:***' https://h"],
  [`curl --user='me:a ${secret}' https://h`, "--user='me:***' https://h"],
  [`curl -u ${secret}: https://h`, 'https://h'],
  [`mysql -p'a ${secret}' db`, "-p'***' db"],
  [`docker login -u me -p ${secret} h`, 'docker login -u me -p *** h'],
  [`az login -u me -p ${secret} --tenant t`, '--tenant t'],
  [`sshpass -p'a ${secret}' ssh h`, 'ssh h'],
  [`sh -c 'TOKEN=${secret} npm test' next`, "npm test' next"],
  [`npm config set //h/:_authToken ${secret}`, '_authToken'],
  [`java --spring.datasource.password ${secret} -v`, '-v'],
  [`tool --dbPass ${secret} -v`, '-v'],
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
  'llm --tokens 5',
  'node server.js -p 8080',
  'git clone ssh://git@host/x',
  'git clone https://git@github.com/x/y',
  'npx npm@10 ci',
  'ssh user@host',
  'npm i https://registry.example.com/@scope/pkg',
  'curl https://example.com:8080/@scope',
  'curl http://localhost:$PORT/@x',
  'curl https://example.com/?mail=a@b.c',
  'curl http://[::1]:80/a@b',
  'curl http://auth:8080/x',
  'docker run -p 80:80 nginx',
  'docker run --name mysql -p3306:3306 mysql:8',
  'docker compose -p project up',
  'docker login --password-stdin registry.example.com',
  'docker run -v $PWD:/app -v "$(pwd):/x" image',
  'env PWD=/a OLDPWD=/b sh',
  'tool --token-file /run/token --verbose',
  'tool --no-auth x',
  'cargo test auth::tests::login',
  'npm run auth:dev',
  'gradle :auth:test',
  'pip install some-auth==1.2',
  'cat: /etc/passwd: Permission denied',
  'grep -r "api_key=" src',
  'echo "Enter token:" && read x',
  'git log --show-signature HEAD',
  'kill --sig=TERM 1',
  'curl -b jar.txt -c jar.txt https://h',
  'curl --cookie-jar jar.txt https://h',
  'wget --load-cookies jar.txt https://h',
  'python -u http://h:8080',
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
    'for any secret',
    ([text], value) => {
      fc.pre(!text.replaceAll(secret, '').includes(value) && !value.startsWith('-'));
      // A slash ends the host of an address: what stands alone before it is a host, a number is a port,
      // and two slashes begin another address.
      fc.pre(!value.includes('/') || !text.includes(`https://${secret}`));
      fc.pre(!/^(?:\d{1,5}|\/)\//.test(value));
      expect(redact(text.replaceAll(secret, value))).not.toContain(value);
    },
  );
});

describe('everything else stays as it is', () => {
  test.each(harmless)('%j', (text) => {
    expect(redact(text)).toBe(text);
  });

  test('masking twice is the same as masking once', () => {
    for (const [text] of shapes) expect(redact(redact(text))).toBe(redact(text));
  });

  property.prop([fc.array(fc.stringMatching(/^[b-z]{1,8}$/), { maxLength: 8 })])(
    'any plain words',
    (words) => {
      const text = words.filter((word) => !/^(bearer|basic)$/.test(word)).join(' ');
      expect(redact(text)).toBe(text);
    },
  );
});

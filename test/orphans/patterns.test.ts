import { expect, it } from 'vitest';
import { patternsOf } from '../../src/orphans/patterns.js';
import { ownThreadCpuMs } from '../../src/probe/linux/machine/own-process.js';

const usual = patternsOf();
const looksLike = (command: string) => usual.find(({ matches }) => matches(command))?.name ?? null;

it.each([
  ['node /app/node_modules/.bin/vitest --watch', 'a test runner in watch mode'],
  ['node /app/node_modules/vitest/vitest.mjs watch', 'a test runner in watch mode'],
  ['node node_modules/.bin/jest --watchAll --silent', 'a test runner in watch mode'],
  ['node --watch server.js', 'a test runner in watch mode'],
  ['npm run test:watch', 'a test runner in watch mode'],
  ['tsc -p . --watch', 'a test runner in watch mode'],
  ['/usr/bin/python3 /usr/bin/ptw', 'a test runner in watch mode'],
  ['vitest', 'a test runner in watch mode'],
  ['node /app/node_modules/.bin/vitest --reporter=dot', 'a test runner in watch mode'],
  ['bun test', 'bun test'],
  ['/home/u/.bun/bin/bun test', 'bun test'],
  ['bun test src/a.test.ts --timeout 5000', 'bun test'],
  ['bun --silent test', 'bun test'],
  ['bun test --watch', 'a test runner in watch mode'],
  ['bun --watch test', 'a test runner in watch mode'],
  ['node node_modules/.bin/mocha --watch', 'a test runner in watch mode'],
  ['node node_modules/.bin/mocha -w', 'a test runner in watch mode'],
  ['node node_modules/.bin/ava --watch', 'a test runner in watch mode'],
  ['node node_modules/.bin/ava -w src', 'a test runner in watch mode'],
  ['tsc -w', 'a test runner in watch mode'],
  ['cargo watch -x test', 'a test runner in watch mode'],
  ['cargo-watch watch -x test', 'a test runner in watch mode'],
  ['python3 -m pytest_watch', 'a test runner in watch mode'],
  ['pytest-watch', 'a test runner in watch mode'],
  ['deno test --watch', 'a test runner in watch mode'],
  ['tail -f log', 'tail -f'],
  ['/usr/bin/tail -n 20 -F /var/log/syslog', 'tail -f'],
  ['tail -20f log', 'tail -f'],
  ['tail --follow=name log', 'tail -f'],
  [
    '/bin/bash -c source /home/u/.claude/shell-snapshots/snapshot-bash-1-x.sh && eval x',
    'a shell of an agent CLI',
  ],
  ['claude', 'claude'],
  ['node /usr/lib/node_modules/@anthropic-ai/claude-code/cli.js --print', 'claude'],
  ['/home/u/.local/bin/codex exec --json', 'codex'],
  ['node /usr/bin/gemini -p x', 'gemini'],
  ['opencode serve', 'opencode'],
])('%s looks like %s', (command, name) => {
  expect(looksLike(command)).toBe(name);
});

it.each([
  'vim /home/u/claude/notes.md',
  'node /home/u/claude/server.js',
  'grep -r codex src',
  'tail -n 20 log',
  'node node_modules/.bin/vitest run',
  'node node_modules/.bin/jest',
  'node node_modules/.bin/jest --watchAll=false',
  'node server.js',
  'node node_modules/.bin/vitest --run',
  'node node_modules/.bin/vitest related src/a.ts --run',
  'node node_modules/.bin/vitest --watch=false',
  'node node_modules/.bin/jest -w 4',
  'bun run test.ts',
  'bun test.ts',
  'bun install',
  'node server.js --watchdog',
  'cargo test',
  'python3 -m pytest',
  'tsc -p .',
  'claude-backup --all',
  'sleep 1000',
  '',
])('%s does not', (command) => {
  expect(looksLike(command)).toBeNull();
});

it('more patterns by option, as text, and none by an empty option', () => {
  const patterns = patternsOf(['my (server', '', '  ']);
  expect(patterns.length).toBe(usual.length + 1);
  expect(patterns.at(-1)?.matches('node my (server --x')).toBe(true);
});

it.each(['/', 'a/', '://', '-a ', ' '])(
  'a command line of 100,000 characters %j is judged at once',
  (part) => {
    const beganMs = ownThreadCpuMs();
    looksLike(part.repeat(100_000 / part.length));
    expect(ownThreadCpuMs() - beganMs).toBeLessThan(500);
  },
);

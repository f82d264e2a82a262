import { describe, expect, test } from 'vitest';
import { insteadOf, preventionFor } from '../../../src/diagnose/explain/instead.js';

const of = (...commands: string[]) =>
  commands.map((command) => ({ name: command.split(' ')[0]?.split('/').at(-1) ?? '', command }));

describe('a program that asks', () => {
  test.each([
    [
      ['git-remote-https origin https://example.org/a.git', 'git push'],
      'set GIT_TERMINAL_PROMPT=0, and use a token or an SSH key',
    ],
    [['git clone https://example.org/a.git'], 'set GIT_TERMINAL_PROMPT=0, and use a token or an SSH key'],
    [['vi .git/COMMIT_EDITMSG', 'sh -c vi', 'git commit'], 'GIT_EDITOR=true, and give the message with -m'],
    [['git add -p'], 'name the files or commits, without -p and -i'],
    [['npm init'], 'npm init -y'],
    [['npm install left-pad'], 'npm_config_yes=true, or npx --yes'],
    [['cat'], 'name a file: without one it reads its standard input; or add </dev/null'],
    [['python3'], 'give it a program: a file, or -c TEXT or -e TEXT'],
    [['less log', 'man ls'], 'PAGER=cat'],
    [['sudo make install'], 'sudo -n'],
  ])('%j: %s', (commands, instead) => {
    expect(preventionFor(of(...commands))).toBe(instead);
  });

  test.each([[['python3 ask.py']], [['ask', 'npm run dev']], [['vite', 'npm init']]])(
    'is unknown, whatever started it: %j',
    (commands) => expect(preventionFor(of(...commands))).toBeNull(),
  );
});

test('other ends have advice of their own', () => {
  expect(insteadOf({ kind: 'service', cause: 'listening', programs: of('node server.js') })).toBe(
    'start it in the background: unstuck start -- COMMAND',
  );
  expect(insteadOf({ kind: 'event', cause: 'fifo-partner', programs: of('cat pipe') })).toContain('FIFO');
  expect(insteadOf({ kind: 'deadlock', cause: 'knot', programs: of('a') })).toContain('hang again');
  expect(insteadOf({ kind: 'needs-input', cause: 'terminal', programs: of('ask') })).toContain('--yes');
  expect(insteadOf({ kind: 'working', cause: 'computing', programs: of('cc') })).toBeNull();
});

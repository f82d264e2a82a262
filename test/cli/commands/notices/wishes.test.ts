import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readWishes, type WishFlags } from '../../../../src/cli/commands/notices/wishes.js';

const none = { events: [], patterns: [], everyS: 0 };
const hook = 'https://example.com/hook';

describe('what is typed behind unstuck start about notices', () => {
  it.each<[WishFlags, object | undefined]>([
    [{}, undefined],
    [{ notify: true }, { ...none, events: ['exit'] }],
    [{ notifyOn: 'needs-input, stuck' }, { ...none, events: ['needs-input', 'stuck'] }],
    [
      { notify: true, notifyOn: 'stalled,exit' },
      { ...none, events: ['exit', 'stalled'] },
    ],
    [{ watch: ['ready', '/a|b/i'] }, { ...none, patterns: ['ready', '/a|b/i'] }],
    [{ notifyEvery: '5m' }, { ...none, everyS: 300 }],
    [
      { watch: ['x'], onNotice: 'cat' },
      { ...none, patterns: ['x'], command: 'cat' },
    ],
    [
      { notifyOn: 'stuck', webhook: hook },
      { ...none, events: ['stuck'], webhook: { url: hook } },
    ],
  ])('%j', (flags, wishes) => {
    expect(readWishes(flags, '/srv')).toEqual(wishes);
  });

  it('a destination without an event means the end of the run', () => {
    expect(readWishes({ onNotice: 'cat' }, '/srv')).toEqual({ ...none, events: ['exit'], command: 'cat' });
    expect(readWishes({ webhook: hook }, '/srv')?.events).toEqual(['exit']);
  });

  it.each(['http://localhost:8080/x', 'http://127.0.0.1/', 'http://127.1/', 'http://[::1]:9/', hook])(
    'a webhook may be %s',
    (url) => {
      expect(readWishes({ webhook: url }, '/srv')?.webhook).toEqual({ url });
    },
  );

  it.each<[WishFlags, RegExp]>([
    [{ notifyOn: 'exit,stcuk' }, /--notify-on is "exit,stcuk", and "stcuk" is not one of exit, needs-input/],
    [{ notifyOn: '' }, /--notify-on is ""/],
    [{ watch: ['a', ''] }, /--watch number 2 is empty/],
    [{ watch: ['//i'] }, /--watch number 1 is empty/],
    [{ notifyEvery: 'often' }, /--notify-every is "often", which is not a duration from 1s to 1d/],
    [{ notifyEvery: '10ms' }, /--notify-every is "10ms"/],
    [{ onNotice: ' ' }, /--on-notice has no command/],
    [{ webhookSecretFile: 'x' }, /--webhook-secret-file needs --webhook/],
    [{ webhook: hook, webhookSecretFile: 'no-such-file' }, /cannot read \/srv\/no-such-file \(ENOENT\)/],
  ])('%j is refused', (flags, message) => {
    expect(() => readWishes(flags, '/srv')).toThrow(message);
  });

  it('the file of the secret is named from the root: the daemon is elsewhere', () => {
    const dir = mkdtempSync(path.join(tmpdir(), 'unstuck-wishes-'));
    try {
      writeFileSync(path.join(dir, 'secret'), 'x', { mode: 0o600 });
      const wishes = readWishes({ webhook: hook, webhookSecretFile: './secret' }, dir);
      expect(wishes?.webhook).toEqual({ url: hook, secretFile: path.join(dir, 'secret') });
    } finally {
      rmSync(dir, { recursive: true });
    }
  });
});

import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { findQuestion } from '../../../src/diagnose/screen/find-question.js';
import { recordedScreen, viewAfter } from './read-screen.js';

const asked = (bytes: Uint8Array | string) => findQuestion(viewAfter(bytes));

describe('a screen that asks', () => {
  it.each([
    ['programs/dialog', 'buttons', 'Remove the old backups?'],
    ['programs/whiptail', 'buttons', 'Choose a database'],
    ['programs/select', 'menu', 'Which template do you want?'],
    ['programs/git-add-patch', 'prompt', '(1/1) Stage this hunk [y,n,q,a,d,e,?]?'],
  ])('%s: %s', (name, form, text) => {
    expect(asked(recordedScreen(name))).toEqual({ form, text });
  });

  it.each([
    [
      'a yes or no',
      'After this, 12 MB are used.\r\nDo you want to continue? [Y/n] ',
      'Do you want to continue? [Y/n]',
    ],
    ['an answer that is half typed', 'Overwrite it? (yes/no) y', 'Overwrite it? (yes/no) y'],
    ['a name', '? Project name: › ', 'Project name: ›'],
    ['a password', 'Password for git: ', 'Password for git:'],
    ['a key', 'Press any key to go on. ', 'Press any key to go on.'],
    ['radio buttons', 'Which one?\r\n● first\r\n○ second\r\n', 'Which one?'],
    ['a framed menu', '│ Which one?\r\n│ > first\r\n│   second\r\n', 'Which one?'],
  ])('%s', (_title, bytes, text) => {
    expect(asked(bytes)?.text).toBe(text);
  });

  it('masks secrets, and shows no control characters', () => {
    const question = asked('Use token=ghp_0123456789abcdefghijklmnopqrstuvwxyz?\u202e [y/N] ');
    expect(question?.text).not.toContain('ghp_0123456789');
    expect(question?.text).not.toContain('\u202e');
  });

  it('keeps a question short', () => {
    expect(
      [...(asked(`${'x'.repeat(110)}\r\n❯ ${'y'.repeat(100)}\r\n  no\r\n`)?.text ?? '')].length,
    ).toBeLessThanOrEqual(200);
  });
});

describe('a screen that does not ask', () => {
  const log = Array.from({ length: 20 }, (_, line) => `step ${line} done`).join('\r\n');
  it.each([
    ['a build log with question marks', recordedScreen('programs/buildlog')],
    ['a clock', recordedScreen('programs/watch-date')],
    ['an old question above newer output', `Continue? [y/N] y\r\n${log}\r\n45 % [####      ]`],
    ['a question in the last line of a text', 'error: did you mean foo?\r\n'],
    ['a hidden cursor behind a question mark', '\x1b[?25lis it done?'],
    ['a menu that newer output has pushed up', `Which one?\r\n❯ first\r\n  second\r\n${log}`],
    ['a quotation', 'He wrote:\r\n> first\r\n\r\nand more\r\n'],
    ['buttons in a text', 'Then press <Yes> to go on, or <No> to stop.\r\n'],
    ['a title with a colon', 'Compiling: '],
  ])('%s', (_title, bytes) => {
    expect(asked(bytes)).toBeNull();
  });
});

test.prop([
  fc.array(
    fc.constantFrom('?', ' ', '[y/N]', '>', '❯ a', '\r\n', '  b', '<Ok>', '│', '●', '漢', ':', '\x1b[5;5H'),
    { maxLength: 300 },
  ),
])('any screen is read in bounded time, and its text is short', (parts) => {
  const question = asked(parts.join(''));
  if (question !== null) expect([...question.text].length).toBeLessThanOrEqual(200);
});

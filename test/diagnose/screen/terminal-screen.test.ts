import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { TerminalScreen } from '../../../src/diagnose/screen/terminal-screen.js';
import { recordedScreen, rowsAfter, viewAfter } from './read-screen.js';

const small = { rows: 4, columns: 10 };

describe('what a terminal shows', () => {
  it.each([
    ['a long line goes on in the next row', 'abcdefghijklm', ['abcdefghij', 'klm']],
    ['a full row waits with its line end', 'abcdefghij\r\nk', ['abcdefghij', 'k']],
    ['rows leave at the top', '1\r\n2\r\n3\r\n4\r\n5', ['2', '3', '4', '5']],
    ['a place is written over', 'abc\x1b[1;2HX', ['aXc']],
    ['the rest of a row is erased', 'abcdef\x1b[1;3H\x1b[K', ['ab']],
    ['the whole screen is erased', 'abc\r\ndef\x1b[2J\x1b[Hx', ['x']],
    ['only a part scrolls', '\x1b[2;3r\x1b[1;1Htop\x1b[2;1Ha\r\nb\r\nc', ['top', 'b', 'c']],
    ['rows are inserted and deleted', 'a\r\nb\x1b[1;1H\x1b[Lx', ['x', 'a', 'b']],
    ['cells are inserted and deleted', 'abc\x1b[1;1H\x1b[2@X\x1b[1;4H\x1b[P', ['X ac']],
    ['a character is repeated', 'ab\x1b[3b', ['abbbb']],
    ['a wide character takes two cells', '漢\x1b[1;3Hx', ['漢x']],
    ['half of a wide character is not shown', '漢\x1b[1;2Hx', [' x']],
    ['a mark does not take a cell', 'e\u0301x', ['e\u0301x']],
    ['line drawing letters are lines', '\x1b(0lqk\x1b(B q', ['┌─┐ q']],
    ['tabs', 'a\tb', ['a       b']],
    ['a title is not text', '\x1b]0;a title\x07x', ['x']],
    ['colours are not text', '\x1b[38;5;1mred\x1b[0m', ['red']],
  ])('%s', (_title, bytes, rows) => {
    expect(rowsAfter(bytes, small)).toEqual(rows);
  });

  it('shows the screen of a pager, and what was there before it when it is gone', () => {
    expect(rowsAfter('shell\x1b[?1049h\x1b[Hpager', small)).toEqual(['pager']);
    expect(rowsAfter('shell\x1b[?1049h\x1b[Hpager\x1b[?1049l!', small)).toEqual(['shell!']);
  });

  it('shows what dialog, whiptail and fzf have painted', () => {
    expect(rowsAfter(recordedScreen('programs/dialog')).join('\n')).toContain(
      '│ Remove the old backups?     ',
    );
    expect(rowsAfter(recordedScreen('programs/whiptail')).join('\n')).toContain('<Ok>           <Cancel>');
    expect(rowsAfter(recordedScreen('programs/fzf')).slice(-1)).toEqual(['>']);
  });
});

const finals = [...'@ABCDEFGHIJKLMPSTXZ`abdefhlmrsu'];
const sequence = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom(
    '\n',
    '\r',
    '\b',
    '\t',
    '\x0e',
    '\x0f',
    '漢',
    '😀',
    'e\u0301',
    '\x1b7',
    '\x1b8',
    '\x1bM',
    '\x1bc',
    '\x1b(0',
  ),
  fc
    .tuple(
      fc.constantFrom('', '?'),
      fc.array(fc.nat(2 ** 31 - 1), { maxLength: 3 }),
      fc.constantFrom(...finals),
    )
    .map(([mark, numbers, final]) => `\x1b[${mark}${numbers.join(';')}${final}`),
  fc.constantFrom(
    '\x1b[?1049h',
    '\x1b[?1049l',
    '\x1b[2;3r',
    '\x1b]0;title\x07',
    '\x1b]8;;x\x1b\\',
    '\x1bP+q\x1b\\',
  ),
);
const output = fc.array(sequence, { maxLength: 40 }).map((parts) => Buffer.from(parts.join('')));

describe('output is not trusted', () => {
  test.prop([
    fc.oneof(output, fc.uint8Array({ maxLength: 400 })),
    fc.integer({ min: 1, max: 8 }),
    fc.integer({ min: 2, max: 20 }),
  ])('any bytes leave a screen of its size with the cursor on it', (bytes, rows, columns) => {
    const screen = new TerminalScreen({ rows, columns });
    screen.push(bytes);
    expect(screen.lines()).toHaveLength(rows);
    for (const line of screen.lines()) expect(line).not.toMatch(/[\x00-\x1f\x7f]/);
    expect(screen.cursor.row).toBeLessThan(rows);
    expect(screen.cursor.column).toBeLessThan(columns);
  });

  test.prop([output, fc.array(fc.nat(400), { maxLength: 6 })])('chunks make no difference', (bytes, cuts) => {
    const whole = new TerminalScreen(small);
    whole.push(bytes);
    const cut = new TerminalScreen(small);
    let from = 0;
    for (const at of [...cuts.sort((a, b) => a - b), bytes.length]) {
      cut.push(bytes.subarray(from, Math.max(from, at)));
      from = Math.max(from, Math.min(at, bytes.length));
    }
    expect(cut.lines()).toEqual(whole.lines());
    expect(cut.cursor).toEqual(whole.cursor);
  });

  it.each([...finals.map((final) => `\x1b[2147483647${final}`), '\x1b[2J', '\x1bM', '漢', '\x1b[?1049h'])(
    'half a megabyte of %j is rendered in bounded time',
    (one) => {
      const bytes = Buffer.from(`x${one}`.repeat(Math.floor((512 * 1024) / (one.length + 1))));
      const before = process.cpuUsage();
      viewAfter(bytes);
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1000).toBeLessThan(5000);
    },
  );
});

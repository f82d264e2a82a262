import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { plainText } from '../../src/text/plain-text.js';

const esc = '\x1b';
const up = `${esc}[1A`;
const wipe = `${esc}[2K`;

describe('text without control sequences', () => {
  it.each([
    ['plain text stays', 'a  \n\tb\n\n', 'a  \n\tb\n\n'],
    ['colours', `${esc}[1;31mred${esc}[0m ${esc}[38:2::1:2:3mx${esc}[m`, 'red x'],
    ['private modes', `${esc}[?25l${esc}[?2026ha${esc}[?25h${esc}[>4;1m`, 'a'],
    ['a title, ended by BEL', `${esc}]0;title\x07a`, 'a'],
    ['a link, ended by ST', `${esc}]8;;http://x${esc}\\text${esc}]8;;${esc}\\`, 'text'],
    [
      'DCS, APC, PM and SOS',
      `${esc}Pq#0${esc}\\a${esc}_Gi=1;AAAA${esc}\\b${esc}^x${esc}\\c${esc}Xy${esc}\\d`,
      'abcd',
    ],
    ['character sets and single escapes', `${esc}(Ba${esc})0b${esc}=c${esc}7d${esc}8${esc}#8e`, 'abcde'],
    ['other control characters', 'a\x00\x07\x0b\x0c\x0e\x0f\x7f\x85b', 'ab'],
    ['a sequence that is cut off', `a${esc}[31`, 'a'],
    ['an escape at the end', `a${esc}`, 'a'],
    ['a title without an end ends with its line', `${esc}]0;title\nnext`, '\nnext'],
    ['line ends of a terminal', 'a\r\nb\r\n', 'a\nb\n'],
    ['a repaint', ' 10%\r 50%\r100%\ndone\n', '100%\ndone\n'],
    ['a shorter text leaves the rest', 'Loading...\rDone\n', 'Doneing...\n'],
    ['blanks that hid the rest are not seen', 'Loading...\r          \rDone\n', 'Done\n'],
    ['erased to the end of the line', `Loading...\rDone${esc}[K\n`, 'Done\n'],
    ['erased whole', `Loading...\r${wipe}Done\n`, 'Done\n'],
    ['erased up to the cursor', `abc def\x1b[4G${esc}[1Kx\n`, '   xdef\n'],
    ['a spinner of backspaces', '- |\b/\b-\b\\\b \n', '-\n'],
    ['man pages: bold and underlined', 'N\bNA\bA _\bx\n', 'NA x\n'],
    ['a column', `name${esc}[10Gvalue`, 'name     value'],
    ['a column too far away for the text to stay short', `a${esc}[99Gb`, 'a b'],
    ['characters outside of the first 65,536', '😀😀\ra\n', 'a😀\n'],
    ['two lines again and again', `a 1\nb 1\n${up}${wipe}${up}${wipe}a 2\nb 2\n`, 'a 2\nb 2\n'],
    ['cursor up by a number', `a 1\nb 1\n${esc}[2A${wipe}a 2\n${wipe}b 2\n`, 'a 2\nb 2\n'],
    ['one line of several', `a\nb\nc\n${esc}[3A${esc}[2B\rC!${esc}[1B\r`, 'a\nb\nC!\n'],
    ['rows erased for good', `step 1\n  sub\n  sub\n${up}${wipe}${up}${wipe}step 2\n`, 'step 1\nstep 2\n'],
    ['everything below erased', `a\nb\nc\n${esc}[3A${esc}[Jdone\n`, 'done\n'],
    ['to the beginning of the line above', `a\nb${esc}[Fc`, 'c\nb'],
    ['a screen cleared begins anew', `a\nb${esc}[H${esc}[2J${esc}[3Jc\n`, 'a\nb\nc\n'],
    ['nothing above a cleared screen is painted over', `a\n${esc}[H${esc}[2Jc\n${esc}[9A\rd`, 'a\nd'],
    ['never above the first line', `${esc}[9Ax`, 'x'],
  ])('%s', (_what, text, plain) => {
    expect(plainText(text)).toBe(plain);
  });

  it('docker: layers that are painted by moving up and down', () => {
    const layers = ['one', 'two', 'three'];
    let text = layers.map((layer) => `${layer}: Waiting\r\n`).join('');
    for (const state of ['Downloading  1MB/9MB', 'Pull complete']) {
      for (const [at, layer] of layers.entries()) {
        const rows = layers.length - at;
        text += `${esc}[${rows}A${wipe}\r${layer}: ${state} \r${esc}[${rows}B`;
      }
    }
    expect(plainText(`${text}Status: done\r\n`)).toBe(
      'one: Pull complete\ntwo: Pull complete\nthree: Pull complete\nStatus: done\n',
    );
  });

  const piece = fc.oneof(
    fc.constantFrom(
      '\x1b',
      '\x1b[',
      '\x1b]',
      '\r',
      '\n',
      '\b',
      '\t',
      '\x07',
      '\x9b',
      'a',
      '😀',
      ' ',
      '\ud800',
    ),
    fc
      .tuple(fc.nat({ max: 3000 }), fc.constantFrom(...'ABCDEFGHJKfm'))
      .map(([n, final]) => `\x1b[${n}${final}`),
    fc.string({ unit: 'binary', maxLength: 5 }),
  );
  const any = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));

  test.prop([any], { numRuns: 2000 })(
    'any text becomes plain, not longer, and plain text stays the same',
    (text) => {
      const plain = plainText(text);
      expect(plain).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
      expect(plain.length).toBeLessThanOrEqual(text.length);
      expect(plainText(plain)).toBe(plain);
    },
  );

  it.each([
    ['repaints of a long line', `${'x'.repeat(200_000)}${`${up}\r${esc}[1Kx\n`.repeat(20_000)}`],
    ['far columns', `${esc}[999Gx\n`.repeat(30_000)],
    ['erasing up to far columns', `\rx${esc}[999C${esc}[1K`.repeat(15_000)],
    ['carriage returns', `${'\r'.repeat(500_000)}x`],
    ['titles without an end', `${esc}]0;`.repeat(100_000)],
    ['parameters without an end', `${esc}[${'1;'.repeat(200_000)}`],
    ['up and down', `${'a\n'.repeat(50_000)}${`${esc}[99999A${esc}[99999B`.repeat(15_000)}`],
  ])('takes time in proportion: %s', (_what, text) => {
    // Of the CPU: other work on the machine does not count.
    const before = process.cpuUsage();
    plainText(text);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(2000);
  });
});

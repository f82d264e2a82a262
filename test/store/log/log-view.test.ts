import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fc, test } from '@fast-check/vitest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { searchLines } from '../../../src/control/operations/shared/search-lines.js';
import { lastLineStarts } from '../../../src/store/log/line-index.js';
import { readLines } from '../../../src/store/log/log-line.js';
import { LogView } from '../../../src/store/log/log-view.js';
import { writeTrimmed } from '../../../src/store/log/trimmed.js';

const header = '# command: x\n\n';
const never = new AbortController().signal;

let home = '';
let file = '';

beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-test-'));
  file = path.join(home, 'output.log');
});

afterEach(() => {
  fs.rmSync(home, { recursive: true, force: true });
});

function logOf(content: string | Buffer): LogView {
  fs.writeFileSync(file, Buffer.concat([Buffer.from(header), Buffer.from(content)]));
  return new LogView(file, header.length);
}

const numbered = (count: number) => Array.from({ length: count }, (_, number) => `line ${number}`);

function openFiles(): number {
  return fs.readdirSync('/proc/self/fd').length;
}

describe('text of a log', () => {
  it('knows nothing of the header', () => {
    const view = logOf('output\n');
    expect(view.size()).toBe(7);
    expect(view.read(0, 100).toString()).toBe('output\n');
    expect(view.read(3, 2).toString()).toBe('pu');
    expect(view.read(7, 100).length).toBe(0);
    expect(view.read(100, 100).length).toBe(0);
    expect(Math.abs((view.lastWriteMs() ?? 0) - Date.now())).toBeLessThan(60_000);
  });

  it('a log as long as its header, or shorter, is empty', () => {
    expect(logOf('').size()).toBe(0);
    fs.writeFileSync(file, '#');
    const view = new LogView(file, header.length);
    expect(view.size()).toBe(0);
    expect(view.readText(0, 100, { limit: 10, plain: false })).toEqual({ output: '', omitted: 0, next: 0 });
  });

  it('gives the first and the last of a long range', () => {
    const view = logOf('x'.repeat(5000));
    const { output, omitted, next } = view.readText(0, view.size(), { limit: 1000, plain: false });
    expect(omitted).toBe(4000);
    expect(output).toContain('[4,000 characters omitted]');
    expect(next).toBe(5000);
  });

  it('a cursor does not split a character, and gets the half at the end of a run', () => {
    const bytes = Buffer.from('aé');
    const view = logOf(bytes.subarray(0, 2));
    const options = { limit: 100, plain: false };
    expect(view.readText(0, 2, options)).toEqual({ output: 'a', omitted: 0, next: 1 });
    expect(view.readText(1, 2, options)).toEqual({ output: '', omitted: 0, next: 1 });
    expect(view.readText(1, 2, { ...options, ended: true })).toEqual({
      output: '\ufffd',
      omitted: 0,
      next: 2,
    });
    fs.appendFileSync(file, bytes.subarray(2));
    expect(view.readText(1, 3, options)).toEqual({ output: 'é', omitted: 0, next: 3 });
  });

  it('bytes that are no text become U+FFFD', () => {
    const view = logOf(Buffer.from([0x61, 0xff, 0x62, 0xc3, 0x28]));
    expect(view.readText(0, 5, { limit: 100, plain: false }).output).toBe('a\ufffdb\ufffd(');
  });

  it('plain: repaints are collapsed, and no control sequence is cut', () => {
    const view = logOf('10%\r50%\r100%\n\x1b[31mred\x1b[3');
    const { output, next } = view.readText(0, view.size(), { limit: 100, plain: true });
    expect(output).toBe('100%\nred');
    expect(next).toBe(view.size() - 3);
    fs.appendFileSync(file, '2mgreen\x1b[0m');
    expect(view.readText(next, view.size(), { limit: 100, plain: true })).toMatchObject({
      output: 'green',
      next: view.size(),
    });
  });

  it.each([true, false])('reads little of a huge range (plain: %s)', (plain) => {
    const view = logOf('é\n');
    fs.truncateSync(file, header.length + 3 + 3 * 2 ** 30);
    fs.appendFileSync(file, '€'.repeat(60_000));
    const started = performance.now();
    const { output, omitted, next } = view.readText(0, view.size(), { limit: 1000, plain });
    expect(performance.now() - started).toBeLessThan(2000);
    expect(output.startsWith('é\n')).toBe(true);
    expect(/\n€+$/.test(output)).toBe(true);
    expect(output).not.toContain('\ufffd');
    expect(omitted).toBeGreaterThan(3 * 2 ** 30 - 10_000_000);
    expect(next).toBe(view.size());
  });

  const content = fc.uint8Array({ maxLength: 60 });

  test.prop([content, fc.array(fc.nat({ max: 60 }), { maxLength: 5 })])(
    'read in pieces, it is the same text',
    (bytes, ends) => {
      const view = logOf(Buffer.from(bytes));
      let [at, text] = [0, ''];
      for (const to of [...ends.sort((a, b) => a - b), bytes.length]) {
        const ended = to === bytes.length;
        const piece = view.readText(at, Math.max(at, to), { limit: 1000, plain: false, ended });
        text += piece.output;
        at = piece.next;
      }
      expect(text).toBe(Buffer.from(bytes).toString());
      expect(at).toBe(bytes.length);
    },
  );

  it('a deleted run has no output, and reading its text fails', async () => {
    const view = logOf('output\n');
    fs.rmSync(home, { recursive: true });
    expect([view.size(), view.lastWriteMs(), view.read(0, 10).length]).toEqual([0, null, 0]);
    const gone = expect.objectContaining({ code: 'no-such-run' });
    expect(() => view.readText(0, 10, { limit: 10, plain: false })).toThrow(gone);
    await expect(view.lines({ limit: 10, plain: false }, never)).rejects.toEqual(gone);
  });

  it('holds nothing open', async () => {
    const view = logOf('output\n');
    await view.lines({ limit: 1, plain: false }, never);
    const before = openFiles();
    view.read(0, 10);
    view.readText(0, 10, { limit: 10, plain: false });
    await view.lines({ limit: 10, plain: false }, never);
    expect(openFiles()).toBe(before);
  });
});

describe('lines of a log', () => {
  it('are the last lines unless requested otherwise', async () => {
    const view = logOf(`${numbered(500).join('\n')}\n`);
    expect(await view.lines({ limit: 2, plain: false }, never)).toEqual({
      lines: ['line 498', 'line 499'],
      starts: [4372, 4381],
      offset: 498,
      totalLines: 500,
      droppedLines: 0,
    });
    expect(await view.lines({ offset: 3, limit: 2, plain: false }, never)).toMatchObject({
      lines: ['line 3', 'line 4'],
      offset: 3,
    });
    expect(await view.lines({ offset: 499, limit: 9, plain: false }, never)).toMatchObject({
      lines: ['line 499'],
    });
    expect(await view.lines({ offset: 900, limit: 9, plain: false }, never)).toMatchObject({
      lines: [],
      offset: 500,
    });
    expect(await view.lines({ limit: 0, plain: false }, never)).toMatchObject({ lines: [], totalLines: 500 });
  });

  it('an unfinished line is a line, and grows', async () => {
    const view = logOf('a\nb');
    expect(await view.lines({ limit: 9, plain: false }, never)).toMatchObject({
      lines: ['a', 'b'],
      totalLines: 2,
    });
    fs.appendFileSync(file, 'c\n');
    expect(await view.lines({ limit: 9, plain: false }, never)).toMatchObject({
      lines: ['a', 'bc'],
      totalLines: 2,
    });
    fs.appendFileSync(file, '\n');
    expect(await view.lines({ limit: 9, plain: false }, never)).toMatchObject({ lines: ['a', 'bc', ''] });
  });

  it('a log that was emptied begins anew', async () => {
    const view = logOf('a\nb\nc\n');
    await view.lines({ limit: 9, plain: false }, never);
    logOf('d\n');
    expect(await view.lines({ limit: 9, plain: false }, never)).toMatchObject({
      lines: ['d'],
      totalLines: 1,
    });
  });

  it('a long line is cut, with the number of characters left out', async () => {
    const view = logOf(`${'x'.repeat(5000)}\n${'y'.repeat(3_000_000)}z\nend\n`);
    const { lines } = await view.lines({ limit: 9, plain: false }, never);
    expect(lines.map((line) => line.length <= 2100)).toEqual([true, true, true]);
    expect(lines[0]).toContain('…(+3000 characters)…');
    expect(lines[1]).toMatch(/^y{1400} …\(\+2998001 characters\)… y{599}z$/);
    expect(lines[2]).toBe('end');
  });

  it('takes no longer for a line of carriage returns', async () => {
    const view = logOf(`${`${'\r'.repeat(60_000)}x\n`.repeat(20)}`);
    const started = performance.now();
    await view.lines({ limit: 20, plain: false }, never);
    expect(performance.now() - started).toBeLessThan(1000);
  });

  it('plain: what a line shows at last, however often it was painted', async () => {
    const repaints = Array.from({ length: 40_000 }, (_, at) => `\r\x1b[32m${at} of 40000\x1b[0m`).join('');
    const view = logOf(`\x1b[1mbold\x1b[0m\r\n${repaints}\nend`);
    const { lines } = await view.lines({ limit: 9, plain: true }, never);
    expect(lines[0]).toBe('bold');
    expect(lines[1]).toMatch(/39999 of 40000$/);
    expect(lines[2]).toBe('end');
  });

  test.prop([
    fc.array(fc.constantFrom('', 'a', 'bé', '\r'), { maxLength: 12 }),
    fc.boolean(),
    fc.option(fc.nat({ max: 14 }), { nil: undefined }),
    fc.nat({ max: 14 }),
  ])('are what a split would give', async (words, isEnded, offset, limit) => {
    const text = words.join('\n') + (isEnded && words.length > 0 ? '\n' : '');
    const all = text === '' ? [] : (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
    const view = logOf(text);
    const first = Math.min(offset ?? Math.max(0, all.length - limit), all.length);
    const { lines, totalLines } = await view.lines({ offset, limit, plain: false }, never);
    expect(totalLines).toBe(all.length);
    expect(lines).toEqual(all.slice(first, first + limit).map((line) => line.replace(/\r+$/, '')));
  });

  it('a large log: any line, several readers at once, and others get their turn', async () => {
    const view = logOf('');
    const block = `${'x'.repeat(99)}\n`.repeat(10_000);
    for (let count = 0; count < 60; count++) fs.appendFileSync(file, block);
    fs.appendFileSync(file, 'last\n');
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const [a, b] = await Promise.all([
      view.lines({ limit: 1, plain: false }, never),
      view.lines({ offset: 300_000, limit: 2, plain: false }, never),
    ]);
    clearInterval(timer);
    expect(a).toMatchObject({ lines: ['last'], totalLines: 600_001 });
    expect(b?.lines).toEqual(['x'.repeat(99), 'x'.repeat(99)]);
    expect(turns).toBeGreaterThan(5);
  });

  it('can be given up', async () => {
    const view = logOf('x\n'.repeat(4_000_000));
    const controller = new AbortController();
    const lines = view.lines({ limit: 1, plain: false }, controller.signal);
    setImmediate(() => controller.abort());
    await expect(lines).rejects.toThrow(/abort/i);
    expect((await view.lines({ limit: 1, plain: false }, never)).totalLines).toBe(4_000_000);
  });
});

describe('a log whose head was removed', () => {
  const text = `${numbered(1000).join('\n')}\n`;
  const droppedBytes = text.indexOf('line 600\n');

  /** What a hole reads as. */
  function trimmedLog(): LogView {
    const view = logOf(Buffer.concat([Buffer.alloc(droppedBytes), Buffer.from(text.slice(droppedBytes))]));
    writeTrimmed(home, { droppedBytes, droppedLines: 600 });
    return view;
  }

  it('line numbers stay, and what is gone is not asked for', async () => {
    const view = trimmedLog();
    expect(await view.lines({ limit: 1, plain: false }, never)).toEqual({
      lines: ['line 999'],
      starts: [8881],
      offset: 999,
      totalLines: 1000,
      droppedLines: 600,
    });
    expect(await view.lines({ offset: 5, limit: 2, plain: false }, never)).toMatchObject({
      lines: ['line 600', 'line 601'],
      offset: 600,
    });
  });

  it('the same for a view that counted the lines before', async () => {
    const view = logOf(text);
    await view.lines({ limit: 1, plain: false }, never);
    trimmedLog();
    for (const offset of [599, 600, 750]) {
      const { lines } = await view.lines({ offset, limit: 1, plain: false }, never);
      expect(lines).toEqual([`line ${Math.max(600, offset)}`]);
    }
  });

  it('a read in the removed part begins behind it, and reports how much is missing', () => {
    const view = trimmedLog();
    expect(view.read(0, 8).toString()).toBe('line 600');
    const { output, omitted, next } = view.readText(0, view.size(), { limit: 100_000, plain: false });
    expect(output).toBe(
      `… [${droppedBytes.toLocaleString('en-US')} characters omitted] …\n${text.slice(droppedBytes)}`,
    );
    expect(omitted).toBe(droppedBytes);
    expect(next).toBe(view.size());
    expect(view.readText(0, 10, { limit: 100, plain: false })).toEqual({
      output: '… [10 characters omitted] …\n',
      omitted: 10,
      next: 10,
    });
  });

  it.each(['', '{', '{"droppedBytes":-1,"droppedLines":0}', '{"droppedBytes":"5"}', 'x'.repeat(5000)])(
    '%j in its place is nothing',
    (content) => {
      const view = logOf('a\n');
      fs.writeFileSync(path.join(home, 'trimmed.json'), content);
      expect(view.trimmed()).toEqual({ droppedBytes: 0, droppedLines: 0 });
    },
  );
});

describe('a log of 20 GB', () => {
  const hugeBytes = 20 * 1024 ** 3;

  function hugeLog(head: string, tail: string): LogView {
    const view = logOf(head);
    fs.truncateSync(file, hugeBytes);
    fs.appendFileSync(file, tail);
    return view;
  }

  it('its last lines are read from the end, with the least number of lines there can be', async () => {
    const view = hugeLog('first\nsecond\n', '\none before\nthe end\n');
    const { lines, totalLines, offset, atLeast } = await view.lines({ limit: 2, plain: true }, never);
    expect({ lines, atLeast }).toEqual({ lines: ['one before', 'the end'], atLeast: true });
    expect(totalLines).toBeGreaterThanOrEqual(4);
    expect(offset).toBe(totalLines - 2);
  });

  it('its first lines are there without the others, and a line without end is cut', async () => {
    const view = hugeLog('first\nsecond\n', 'x');
    const first = await view.lines({ offset: 0, limit: 2, plain: true }, never);
    expect(first).toMatchObject({ lines: ['first', 'second'], offset: 0, atLeast: true });
    const { lines } = await view.lines({ limit: 200, plain: false }, never);
    expect(lines).toHaveLength(1);
    expect(lines[0]?.length).toBeLessThan(3000);
  });

  it('a search gives what it has, and from where to go on', async () => {
    const view = hugeLog('first\nneedle\nthird\n', '\nneedle\n');
    const found = await searchLines(view, ['needle'], { limit: 10, plain: true }, never);
    expect(found).toMatchObject({ lines: ['needle'], numbers: [1], nextOffset: 3, atLeast: true });
  });
});

test.prop([fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '\n', '\n\n'), maxLength: 9 })), fc.nat(12)])(
  'the last lines read from the end are those that counting finds',
  async (parts, limit) => {
    const bytes = Buffer.from(parts.join(''));
    const read = async (buffer: Buffer, at: number) => bytes.copy(buffer, 0, at);
    const starts = await lastLineStarts(read, { from: 0, end: bytes.length }, limit, never);
    const lines = await readLines(read, starts, false, never);
    const all = bytes.toString().split('\n');
    if (all.at(-1) === '') all.pop();
    expect(lines).toEqual(limit === 0 ? [] : all.slice(-limit));
  },
);

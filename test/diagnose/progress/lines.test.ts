import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it, test } from 'vitest';
import { LineTail } from '../../../src/diagnose/progress/lines.js';
import { countNewlines, hasVisible } from '../../../src/diagnose/progress/newlines.js';

const bytesOf = (text: string) => new TextEncoder().encode(text);

function fed(...chunks: (string | Uint8Array)[]): LineTail {
  const tail = new LineTail();
  for (const chunk of chunks) tail.push(typeof chunk === 'string' ? bytesOf(chunk) : chunk);
  return tail;
}

const lastOf = (text: string) => fed(text).lastLine;

describe('what is seen of a line', () => {
  test.each([
    ['hello\nworld\n', 'world'],
    ['hello\n\n  \n\t\r\n', 'hello'],
    ['Password: ', 'Password:'],
    ['dos\r\n', 'dos'],
    ['  1%\r 50%\r100%', '100%'],
    ['downloading\rdone', 'doneloading'],
    ['downloading\r\x1b[Kdone', 'done'],
    ['old text\x1b[2K\x1b[1Gnew', 'new'],
    ['wait |\b/\b-', 'wait -'],
    ['\x1b[1;32mgreen\x1b[0m text', 'green text'],
    ['\x1b]0;title\x07shown', 'shown'],
    ['\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\', 'link'],
    ['\x1b[?25l\x1b[?2026hframe\x1b[?2026l', 'frame'],
    ['first\x1b[1Asecond', 'second'],
    ['ok\tdemo\t0.1s', 'ok demo 0.1s'],
    ['bell\x07 nul\x00', 'bell\\x07 nul\\x00'],
    ['\u202egnp.exe', '\\u202egnp.exe'],
    ['abc\x1b[999999999Cx', `abc${' '.repeat(4093)}x`.replace(/^(.{300}).*(.{170})$/s, '$1 …(+3627)… $2')],
    ['a bar\x1b[2K\r', 'a bar'],
    ['unfinished \x1b[', 'unfinished'],
    ['unfinished \x1b]0;tit', 'unfinished'],
  ])('%j is %j', (text, seen) => {
    expect(lastOf(text)).toBe(seen);
  });

  it('invalid UTF-8 is replaced, valid characters survive any cut', () => {
    expect(fed(Uint8Array.of(0x61, 0xff, 0x62)).lastLine).toBe('a\ufffdb');
    const [first, ...rest] = [...bytesOf('é😀…')].map((byte) => Uint8Array.of(byte));
    expect(fed(first as Uint8Array, ...rest).lastLine).toBe('é😀…');
    // Of long lines, only so much is shown: the cut does not go through a character.
    expect(() => encodeURIComponent(lastOf(`x${'😀'.repeat(500)}`))).not.toThrow();
  });

  it('a row of dots that grows is another line each time, however long', () => {
    const seen = [100, 600, 601, 4096, 5000, 5001, 200_000, 200_001].map((dots) => lastOf('.'.repeat(dots)));
    expect(new Set(seen).size).toBe(seen.length);
    for (const line of seen) expect(line.length).toBeLessThanOrEqual(500);
  });

  it('a spinner that never ends its line is not taken for a growing line', () => {
    const turns = (count: number) => fed('start\n', 'work |\rwork /\rwork -\r'.repeat(count)).lastLine;
    expect([turns(10), turns(10_000)]).toEqual(['work -', 'work -']);
  });
});

describe('lines for the recognisers', () => {
  it('gives each ended line once, and nothing of the unfinished line', () => {
    const tail = fed('one\ntwo\nthr');
    expect(tail.takeFresh()).toEqual({ lines: ['one', 'two'], missed: false });
    expect(tail.unfinished.text).toBe('thr');
    tail.push(bytesOf('ee\n'));
    expect(tail.takeFresh()).toEqual({ lines: ['three'], missed: false });
    expect(tail.takeFresh()).toEqual({ lines: [], missed: false });
  });

  it('reading the last line does not take lines', () => {
    const tail = fed('one\n');
    expect([tail.lastLine, tail.lastLines]).toEqual(['one', ['one']]);
    expect(tail.takeFresh().lines).toEqual(['one']);
  });

  it('reports that there was more than it shows', () => {
    const tail = fed('line of twenty bytes\n'.repeat(100_000), 'last\n');
    const { lines, missed } = tail.takeFresh();
    expect(lines.at(-1)).toBe('last');
    expect([lines.length, missed]).toEqual([1000, true]);
    expect(tail.bytes).toBe(2_100_005);
  });

  it('what remains of a flood begins with a whole line', () => {
    const tail = fed(Array.from({ length: 200 }, (_, at) => `line ${at} ${'x'.repeat(1000)}\n`).join(''));
    const { lines, missed } = tail.takeFresh();
    expect(missed).toBe(true);
    expect(lines.filter((line) => !line.startsWith('line '))).toEqual([]);
  });

  it('a line longer than what is kept is still a single line', () => {
    const tail = fed('first\n');
    tail.takeFresh();
    tail.push(bytesOf('x'.repeat(300_000)));
    expect(tail.unfinished.text).toMatch(/^…\(\+295904 bytes\) x+$/);
    tail.push(bytesOf('end\nnext\n'));
    const { lines, missed } = tail.takeFresh();
    expect(missed).toBe(false);
    expect(lines).toEqual([expect.stringMatching(/^…\(\+\d+ bytes\) x+end$/), 'next']);
  });

  it('many reads without taking stay bounded', () => {
    const tail = new LineTail();
    for (let at = 0; at < 5000; at++) {
      tail.push(bytesOf(`line ${at}\n`));
      expect(tail.lastLine).toBe(`line ${at}`);
    }
    const { lines, missed } = tail.takeFresh();
    expect([lines.length, missed, lines.at(-1)]).toEqual([1000, true, 'line 4999']);
    expect(tail.lastLines.length).toBe(50);
  });
});

const piece = fc.oneof(
  fc.constantFrom(
    '\n',
    '\r',
    '\b',
    '\t',
    '\x1b[K',
    '\x1b[2K',
    '\x1b[1G',
    '\x1b[1A',
    '\x1b[',
    '\x1b]0;',
    '\x07',
    '\x1b',
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ maxLength: 2000, minLength: 400 }),
);
const output = fc.oneof(
  fc.uint8Array({ maxLength: 3000 }),
  fc.array(piece, { maxLength: 60 }).map((pieces) => bytesOf(pieces.join(''))),
  fc
    .array(fc.constantFrom('word', '\n', '\n\n', '\r', 'é'), { maxLength: 40 })
    .map((all) => bytesOf(all.join('').repeat(400))),
);

function cutAt(bytes: Uint8Array, cuts: number[]): Uint8Array[] {
  const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
}

const facts = (tail: LineTail) => {
  const { bytes, unfinished, lastLine, lastLines } = tail;
  return { bytes, unfinished, lastLine, lastLines };
};

describe('any output', () => {
  property.prop([output, fc.array(fc.nat(), { maxLength: 20 })])(
    'chunk borders never change what is seen',
    (bytes, cuts) => {
      const whole = fed(bytes);
      const cut = fed(...cutAt(bytes, cuts));
      expect(facts(cut)).toEqual(facts(whole));
      expect(cut.takeFresh()).toEqual(whole.takeFresh());
    },
  );

  property.prop([output, fc.array(fc.nat(), { maxLength: 20 })])(
    'nor do reads in between, as long as they keep up',
    (bytes, cuts) => {
      fc.pre(bytes.length < 60_000);
      const looked = new LineTail();
      const lines: string[] = [];
      for (const chunk of cutAt(bytes, cuts)) {
        looked.push(chunk);
        expect(looked.lastLine).toBe(looked.lastLine);
        lines.push(...looked.takeFresh().lines);
      }
      const whole = fed(bytes);
      expect(facts(looked)).toEqual(facts(whole));
      const { lines: all } = whole.takeFresh();
      expect(lines.slice(-all.length || lines.length)).toEqual(all);
    },
  );

  const flood = fc
    .array(fc.stringMatching(/^[a-z]{1,9}( [a-z]{1,9}){0,5}$/), { minLength: 1, maxLength: 40 })
    .chain((lines) =>
      fc.nat(400_000).map((length) => bytesOf(`${lines.join('\n')}\n`.repeat(20_000)).subarray(0, length)),
    );

  property.prop([flood, fc.array(fc.tuple(fc.nat(), fc.constantFrom('push', 'defer one', 'defer other')))], {
    numRuns: 50,
  })('deferred bytes give the same last line as bytes that are pushed', (bytes, steps) => {
    const tail = new LineTail();
    let from = 0;
    for (const [cut, how] of [...steps, [bytes.length, 'defer one'] as const]) {
      const end = Math.min(bytes.length, Math.max(from, cut % (bytes.length + 1)));
      const readEnd = (length: number) => bytes.subarray(end - length, end);
      if (how === 'push') tail.push(bytes.subarray(from, end));
      else tail.defer({ source: how, bytes: end - from, readEnd });
      from = end;
    }
    const { lastLine, unfinished } = fed(bytes);
    expect(tail.bytes).toBe(from);
    expect([tail.lastLine, tail.unfinished]).toEqual([lastLine, unfinished]);
  });

  it('what comes from two places is seen in the order it came', () => {
    const tail = new LineTail();
    for (const [source, text] of Object.entries({ one: 'first\n', other: 'second\n' })) {
      const all = bytesOf(text);
      tail.defer({ source, bytes: all.length, readEnd: (length) => all.subarray(-length) });
    }
    expect(tail.lastLines).toEqual(['first', 'second']);
  });

  it('a growing row of dots is another line each time, though most of it is not kept', () => {
    const tail = new LineTail();
    const seen = [1_000_000, 2_000_000, 2_000_001].map((bytes) => {
      tail.defer({ source: 'log', bytes, readEnd: (length) => new Uint8Array(length).fill(0x2e) });
      return tail.lastLine;
    });
    expect(new Set(seen).size).toBe(seen.length);
  });

  property.prop([output])('is shown without control characters, at most 500 of 50 lines', (bytes) => {
    const { lastLine, lastLines, unfinished } = fed(bytes);
    expect(lastLines.length).toBeLessThanOrEqual(50);
    for (const line of [...lastLines, lastLine, unfinished.text]) {
      expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
      expect(line.length).toBeLessThanOrEqual(500);
    }
  });

  property.prop([fc.uint8Array({ maxLength: 3000 }), fc.nat(7)])(
    'newlines of any bytes are all counted',
    (bytes, from) => {
      const part = bytes.subarray(from);
      expect(countNewlines(part)).toBe(part.filter((byte) => byte === 0x0a).length);
    },
  );

  it('every byte value in every lane is counted right', () => {
    const all = Uint8Array.from({ length: 256 * 4 * 4 }, (_, at) => (at >> 2) & 255).fill(0x0a, 2000, 3500);
    for (let from = 0; from < 8; from++) {
      const part = all.subarray(from);
      expect(countNewlines(part)).toBe(part.filter((byte) => byte === 0x0a).length);
    }
  });
});

describe('a visible byte', () => {
  it('of every value is found in every place, and no other is', () => {
    for (const length of [0, 3, 16, 17, 64, 67]) {
      for (let from = 0; from < 4; from++) {
        const part = new Uint8Array(from + length).subarray(from);
        expect(hasVisible(part)).toBe(false);
        expect(hasVisible(part.fill(0x20))).toBe(false);
        for (let at = 0; at < length; at++) {
          for (let byte = 0; byte < 256; byte++) {
            part[at] = byte;
            if (hasVisible(part) !== byte > 0x20) expect.fail(`byte ${byte} at ${at} of ${length}`);
          }
          part[at] = 0x1f;
        }
      }
    }
  });
});

describe('cost', () => {
  it('memory does not grow with a line that never ends', () => {
    const tail = new LineTail();
    const chunk = new Uint8Array(1 << 20).fill(0x78);
    tail.push(chunk);
    const before = process.memoryUsage();
    for (let megabytes = 0; megabytes < 200; megabytes++) tail.push(chunk);
    const after = process.memoryUsage();
    expect(tail.bytes).toBe(201 << 20);
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(1 << 20);
    expect(tail.lastLine.length).toBeLessThanOrEqual(500);
  });

  it('a byte at a time costs no more per byte than its chunk is worth', () => {
    const perByte = (size: number) => {
      const tail = new LineTail();
      const chunk = bytesOf('x'.repeat(size - 1).concat('\n'));
      const started = performance.now();
      for (let at = 0; at < 400_000; at += size) tail.push(chunk);
      return performance.now() - started;
    };
    perByte(1);
    // Moving the kept 64 KB for every byte would cost thousands of times as much as one push.
    const calls = perByte(1) / 400_000;
    const larger = perByte(1000) / 400;
    expect(calls / larger).toBeLessThan(20);
  });
});

import { test as property } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Findings, PatternSearch } from '../../src/notices/pattern-search.js';
import { unfinishedBytes } from '../../src/text/utf8-cut.js';

/** Everything in one, as if the pieces had come at once; the unfinished line at the end counts. */
async function searchAll(
  patterns: string[],
  chunks: readonly (string | Buffer)[],
  from = 0,
): Promise<Findings> {
  const search = new PatternSearch(patterns, from);
  const parts: Findings[] = [];
  for (const chunk of chunks) parts.push(await search.push(Buffer.from(chunk)));
  parts.push(await search.pushUnfinished());
  return {
    count: parts.reduce((sum, { count }) => sum + count, 0),
    first: parts.find(({ first }) => first !== null)?.first ?? null,
    lines: parts.flatMap(({ lines }) => lines),
    failures: parts.flatMap(({ failures }) => failures),
  };
}

function cut(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const at = [0, ...cuts.map((part) => part % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return at.slice(1).map((to, index) => bytes.subarray(at[index], to));
}

/** The same by other means: all in memory, line by line, text by text. */
function searchPlainly(patterns: string[], bytes: Buffer) {
  const matched: { pattern: string; line: string; end: number }[] = [];
  for (let at = 0; at < bytes.length; ) {
    const newline = bytes.indexOf(0x0a, at);
    const end = newline === -1 ? bytes.length : newline;
    // A character that has not come whole yet is not shown yet.
    const whole = newline === -1 ? end - unfinishedBytes(bytes.subarray(at)) : end;
    const line = bytes.subarray(at, whole).toString().replace(/\r$/, '');
    const isIn = (pattern: string) =>
      pattern.startsWith('/')
        ? new RegExp(pattern.slice(1, pattern.lastIndexOf('/'))).test(line)
        : line.includes(pattern);
    at = end + 1;
    const pattern = patterns.find(isIn);
    if (pattern !== undefined) matched.push({ pattern, line, end: Math.min(at, bytes.length) });
  }
  return { count: matched.length, first: matched[0] ?? null, lines: matched.map(({ line }) => line) };
}

const noFailures = { failures: [] };

describe('patterns are searched line by line', () => {
  test('every line counts once, however many patterns are in it; the first pattern is named', async () => {
    const found = await searchAll(['warn', 'fail', '/^a/'], ['a fail and a warn\nnothing\nfail fail\n']);
    expect(found).toEqual({
      count: 2,
      first: { pattern: 'warn', line: 'a fail and a warn', end: 18 },
      lines: ['a fail and a warn', 'fail fail'],
      ...noFailures,
    });
  });

  test('the first line is the first of all patterns, wherever they stand in the list', async () => {
    expect((await searchAll(['late', '/early/'], ['x\nearly\nlate\n'])).first).toEqual({
      pattern: '/early/',
      line: 'early',
      end: 8,
    });
  });

  test('a line counts when it has ended, or when it is asked for, and then only once', async () => {
    const search = new PatternSearch(['word:']);
    expect((await search.push(Buffer.from('one\nPassword: '))).count).toBe(0);
    expect(search.searchedTo).toBe(4);
    expect((await search.pushUnfinished()).first).toEqual({ pattern: 'word:', line: 'Password: ', end: 14 });
    expect(search.searchedTo).toBe(14);
    expect((await search.pushUnfinished()).count).toBe(0);
    expect((await search.push(Buffer.from('again word:\nword:'))).count).toBe(0);
    expect(search.searchedTo).toBe(26);
    expect((await search.push(Buffer.from('\n'))).first).toEqual({
      pattern: 'word:',
      line: 'word:',
      end: 32,
    });
  });

  test('offsets go on where the last search ended', async () => {
    expect((await searchAll(['b'], ['a\nb\n'], 1000)).first?.end).toBe(1004);
  });

  test('a carriage return before the newline is no part of the line, elsewhere it is', async () => {
    expect((await searchAll(['a\r'], ['a\r\n'])).count).toBe(0);
    expect((await searchAll(['/^a$/'], ['a\r\n'])).count).toBe(1);
    expect(await searchAll(['a\rb'], ['a\rb\r\n'])).toMatchObject({ count: 1, lines: ['a\rb'] });
    expect(await searchAll(['x\r'], ['x\rx\r\n'])).toMatchObject({ count: 1, lines: ['x\rx'] });
  });

  test('NUL and bytes that are no UTF-8 are bytes like others', async () => {
    const bytes = Buffer.concat([
      Buffer.from([0xff, 0, 0xc3]),
      Buffer.from(' ready é\n'),
      Buffer.from([0xe2]),
    ]);
    expect(await searchAll(['ready é'], [bytes])).toMatchObject({ count: 1, first: { end: 13 } });
    expect(await searchAll(['/ready .$/'], [bytes])).toMatchObject({ count: 1, first: { end: 13 } });
    expect((await searchAll(['\0'], [bytes])).count).toBe(1);
  });

  test('only the first 64 KB of a line are searched, in whatever pieces it comes', async () => {
    const inside = `${'x'.repeat(65_530)}needle`;
    const outside = `${'x'.repeat(65_531)}needle`;
    const log = Buffer.from(`${outside}\n${inside}\r\n${'y'.repeat(3_000_000)}needle\nneedle\n`);
    for (const pattern of ['needle', '/needle/']) {
      for (const cuts of [[], [10, 65_536, 65_537, 65_538, 131_080], [3_000_000]]) {
        const { count, first } = await searchAll([pattern], cut(log, cuts));
        expect([count, first?.line.length, first?.end]).toEqual([
          2,
          65_536,
          outside.length + inside.length + 3,
        ]);
      }
    }
  });

  test('half of a character at the cut of a long line is left out', async () => {
    const { first } = await searchAll(['x'], [`${'x'.repeat(65_535)}é\n`]);
    expect([first?.line.length, first?.end]).toEqual([65_535, 65_538]);
  });

  test('what is shown is bounded, what is counted is not', async () => {
    const { count, lines } = await searchAll(['a'], [Buffer.from('a\n'.repeat(700_000))]);
    expect([count, lines.length]).toEqual([700_000, 20]);
    const long = await searchAll(['a'], [`${'a'.repeat(5000)}\n`.repeat(2)]);
    expect(long.lines.join('\n')).toHaveLength(2000);
    expect(long.first?.line).toHaveLength(5000);
  });
});

describe('many matches in much output', () => {
  const lines = (extra: string) =>
    Array.from(
      { length: 12_000 },
      (_, n) => `${n}${extra} is ${n % 2 ? 'odd' : 'even'}${n % 3 ? '' : ' third'}`,
    );

  test.each(['', ' é', '\r'])(
    'all patterns together count each line once, as a plain search does (%j)',
    async (extra) => {
      const log = Buffer.from(`${lines(extra).join('\n')}\n`);
      for (const patterns of [['odd'], ['/odd/'], ['odd', '/third$/'], ['third', 'odd', '/^\\d*[05]\\b/']]) {
        const { count, first } = searchPlainly(patterns, log);
        expect(await searchAll(patterns, cut(log, [100_000, 200_001]))).toMatchObject({ count, first });
      }
    },
  );
});

describe('bad patterns', () => {
  test.each([
    ['no regex', '/(/', /'\/\(\/' is not a regular expression/],
    ['empty', '', /empty pattern/],
    ['two lines', 'a\nb', /'a\\nb' spans more than one line/],
    ['too long', 'x'.repeat(1001), /'x{59}…' is too long/],
    ['dear to compile', `/(?:${'[ab]|'.repeat(150)}c){99}/`, /too many alternatives within repetitions/],
    ['dear to compile with u', '/\\P{L}{9}/u', /Unicode property/],
    ['with the flag v', '/a/v', /flag v/],
  ])('%s: refused by its name', (_, pattern, message) => {
    expect(() => new PatternSearch(['good', pattern])).toThrow(message);
  });

  test('too many are refused', async () => {
    expect(() => new PatternSearch(Array(33).fill('a'))).toThrow(/33 patterns are too many/);
    expect((await new PatternSearch(Array(32).fill('a')).push(Buffer.from('a\n'))).count).toBe(1);
  });
});

describe('a regular expression that takes for ever', () => {
  const endless = '/^(a+)+$/';
  const trap = `${'a'.repeat(60)}b\n`;

  test('is switched off and reported once; the others go on, its earlier matches stay', async () => {
    const search = new PatternSearch([endless, 'text', '/re+gex/']);
    const first = await search.push(Buffer.from(`aaa\ntext\n${trap}regex\naaa\n`));
    expect(first.lines).toEqual(['aaa', 'text', 'regex']);
    expect(first.failures.map(({ code, message }) => [code, message])).toEqual([
      ['bad-input', `the regular expression '${endless}' takes too long on this output`],
    ]);
    const second = await search.push(Buffer.from(`${trap}aaa\nregex\ntext\n`));
    expect(second).toMatchObject({ count: 2, lines: ['regex', 'text'], ...noFailures });
  });

  test('is the only pattern that fails, wherever it stands', async () => {
    const { failures, count } = await searchAll(['/b+x/', endless, '/regex$/'], [`${trap}regex\n`]);
    expect([failures.length, failures[0]?.message, count]).toEqual([1, expect.stringContaining(endless), 1]);
  });
});

const part = fc.constantFrom('a', 'b\n', '\n', '\r', '\r\n', 'need', 'le', 'needle', 'né', '😀', '\0', ' ');
const bytes = fc.oneof(
  fc.array(part, { maxLength: 40 }).map((parts) => Buffer.from(parts.join(''))),
  // Bytes that are no text: the newline in between is one all the same.
  fc
    .array(fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(0x0a, 0xc3, 0xe2, 0x61)))
    .map((all) => Buffer.from(all)),
);
const somePatterns = fc.uniqueArray(
  fc.constantFrom('needle', 'a', 'é', 'b', '/^a/', '/é$/', '/^$/', '/e.*a/', '/\\s/', '\r'),
  { minLength: 1, maxLength: 4 },
);

describe('however the bytes are cut', () => {
  property.prop([somePatterns, bytes, fc.array(fc.nat(), { maxLength: 8 })])(
    'the same is found, and it is what a plain search finds',
    async (patterns, log, cuts) => {
      const plain = searchPlainly(patterns, log);
      const { count, first } = await searchAll(patterns, cut(log, cuts));
      expect({ count, first }).toEqual({ count: plain.count, first: plain.first });
      expect((await searchAll(patterns, cut(log, cuts))).lines).toEqual(
        (await searchAll(patterns, [log])).lines,
      );
    },
  );

  property.prop([somePatterns, bytes, fc.array(fc.nat(), { maxLength: 3 }), fc.nat(3)])(
    'a search that goes on where another stopped finds the rest, and nothing twice',
    async (patterns, log, cuts, stops) => {
      const chunks = cut(log, cuts);
      const before = new PatternSearch(patterns);
      const found: number[] = [];
      for (const chunk of chunks.slice(0, stops)) found.push((await before.push(chunk)).count);
      const after = await searchAll(patterns, [log.subarray(before.searchedTo)], before.searchedTo);
      const sum = found.reduce((all, count) => all + count, after.count);
      expect(sum).toBe((await searchAll(patterns, [log])).count);
    },
  );
});

import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it, test } from 'vitest';
import { readLine } from '../../../src/diagnose/progress/reading.js';
import { recognise, recognisers } from '../../../src/diagnose/progress/table.js';

const examples = recognisers.flatMap((row) => row.examples.map((example) => ({ row, example })));
const named = examples.map(({ row, example }) => [`${row.tool} (${row.says})`, example, row] as const);

describe('the table of recognisers', () => {
  test.each(named)('%s: %s', (_name, example, row) => {
    expect(recognise(example)?.row).toBe(row);
    expect(readLine(example)?.reading.says).toBe(row.says);
  });

  it('has the tools people wait for', () => {
    const tools = new Set(recognisers.map(({ tool }) => tool));
    const wanted =
      'cargo,cargo test,go test,pytest,vitest,jest,mocha,ninja,make,cmake,bazel,gradle,maven,npm,pnpm,yarn,pip,apt,docker,webpack,tsc,tqdm,curl,wget,git,count,percentage';
    for (const tool of wanted.split(',')) expect(tools).toContain(tool);
  });

  it('every row has the groups its kind needs', () => {
    for (const { says, pattern } of recognisers) {
      const has = (...names: string[]) => names.some((name) => pattern.source.includes(`(?<${name}>`));
      if (says === 'measure') expect(has('done', 'percent', 'sum'), pattern.source).toBe(true);
      if (says === 'total') expect(has('total'), pattern.source).toBe(true);
      if (says === 'item') expect(has('name'), pattern.source).toBe(true);
      expect(pattern.flags, pattern.source).toBe('');
    }
  });

  it('skips a timestamp and the prefix of a container build', () => {
    expect(recognise('#12 34.56 [3/9] Building C object a.o')?.row.tool).toBe('ninja');
    expect(recognise('2026-11-16T02:43:45.123Z test tests::adds ... ok')?.row.tool).toBe('cargo test');
  });

  test.each([
    'aws_instance.web: Still creating... [10s elapsed]',
    'WARNING: Retrying (Retry(total=4, connect=None)) after connection broken',
    'listening on 127.0.0.1:8080',
    'released on 3/12/2024',
    'GET /index.html 200 12ms',
    '⠼',
    '- Installing',
    'version 1.2.3',
    'Waiting for the server...',
  ])('%s is no progress', (line) => {
    expect(readLine(line)).toBeNull();
  });

  test.each([
    ['[5,584 / 5,856] Compiling a.cc', 5584, 5856, '5,584/5,856'],
    ['#6 sha256:53633759f9c9 12.58MB / 222.55MB 1.1s', 12.58e6, 222.55e6, '12.58MB/222.55MB'],
    ['     ━━━╸━━━━━━ 3.0/30.0 MB 23.6 MB/s eta 0:00:02', 3e6, 30e6, '3.0/30.0 MB'],
    ['m:  45%|████▌     | 1.20G/2.67G [00:10<00:12, 120MB/s]', 1.2e9, 2.67e9, '1.20G/2.67G'],
    ['      Tests  1 failed | 5 passed | 2 skipped (8)', 8, 8, '8/8'],
    ['Test Suites: 2 passed, 2 of 4 total', 2, 4, '2/4'],
    ['Progress: resolved 140, reused 3, downloaded 116, added 0', 119, 140, '119/140'],
    ['[ 11%] Building C object a.o', 11, 100, '11%'],
    ['progress=99.5%', 99.5, 100, '99.5%'],
  ])('the progress in %s is read', (line, done, total, text) => {
    expect(readLine(line)?.reading).toEqual({ says: 'measure', done: expect.closeTo(done), total, text });
  });

  test.each(['501/500', '0/0', '140 %', '[9/3] wrong'])('%s is no measure', (line) => {
    expect(readLine(line)).toBeNull();
  });
});

describe('hostile lines', () => {
  const fillers = [
    '1',
    '1,',
    '1/',
    ' ',
    '. ',
    'a',
    '[',
    '[1/',
    '::',
    'PASSED ',
    ' (1',
    '%',
    '1% ',
    '━',
    '#',
    '=',
    ': ',
  ];

  const timeOf = (pattern: RegExp, line: string) => {
    let best = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 5; round++) {
      const started = performance.now();
      pattern.exec(line);
      best = Math.min(best, performance.now() - started);
    }
    return best;
  };

  /** Eight times the line: 8 when linear, 64 when quadratic. */
  const growth = (pattern: RegExp, head: string, filler: string) => {
    const hostile = (chars: number) => head + filler.repeat(chars / filler.length);
    const long = timeOf(pattern, hostile(16_000));
    // What costs next to nothing cannot be compared.
    return long < 0.5 ? 0 : long / timeOf(pattern, hostile(2000));
  };

  it('every pattern takes time in proportion to the line', () => {
    const slow: string[] = [];
    for (const { pattern, tool, examples: own } of recognisers) {
      const heads = ['', ...own.flatMap((example) => [example.slice(0, 12), example.slice(0, 40)])];
      for (const head of new Set(heads)) {
        for (const filler of fillers) {
          const ratio = growth(pattern, head, filler);
          if (ratio > 24) slow.push(`${tool} ${pattern.source} on ${head}${filler}…: ${ratio.toFixed(1)}`);
        }
      }
    }
    expect(slow).toEqual([]);
  }, 60_000);

  it('a pattern that takes more time would be found', () => {
    expect(growth(/a*b/, '', 'a')).toBeGreaterThan(24);
  });

  property.prop([fc.string({ unit: 'binary', maxLength: 600 })])(
    'any line is read or not, and never throws',
    (line) => {
      const read = readLine(line);
      if (read?.reading.says !== 'measure') return;
      expect(read.reading.done).toBeGreaterThanOrEqual(0);
      if (read.reading.total !== null) expect(read.reading.done).toBeLessThanOrEqual(read.reading.total);
    },
  );
});

import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { LabelledLines, linePrefixes, mergeLines } from '../../../../src/cli/commands/log/label-lines.js';

const runs = [
  { id: 'run_a1b2c3d4e5f6', label: 'api' },
  { id: 'run_b1b2c3d4e5f6', label: 'worker' },
  { id: 'run_c1b2c3d4e5f6', label: 'api' },
];

describe('the label before each line', () => {
  it('has one width, and the id where two runs have the same label', () => {
    expect([...linePrefixes(runs, false).values()]).toEqual([
      'api (a1b2) | ',
      'worker     | ',
      'api (c1b2) | ',
    ]);
  });

  it('has a colour of its own', () => {
    const painted = [...linePrefixes(runs, true).values()];
    expect(new Set(painted.map((one) => one.slice(0, 5))).size).toBe(3);
  });

  it('cannot act on the terminal', () => {
    const [prefix] = linePrefixes([{ id: 'run_a', label: 'a\x1b]0;x\x07' }], false).values();
    expect(prefix).not.toContain('\x1b');
  });
});

const output = fc.array(fc.constantFrom('a', 'b\n', '\n', 'ä', 'c\r'), { maxLength: 60 });

test.prop([output, fc.array(fc.nat(20))])('lines are the same however the output is cut', (parts, cuts) => {
  const bytes = Buffer.from(parts.join(''));
  const lines = new LabelledLines('x | ', undefined);
  let printed = '';
  let at = 0;
  for (const cut of [...cuts, bytes.length]) {
    printed += lines.push(bytes.subarray(at, at + cut)).toString();
    at += cut;
  }
  printed += lines.end().toString();
  const text = bytes.toString();
  const expected = text.split('\n').slice(0, text.endsWith('\n') || text === '' ? -1 : undefined);
  expect(printed).toBe(expected.map((line) => `x | ${line}\n`).join(''));
});

test('a line without an end is printed in pieces', () => {
  const lines = new LabelledLines('x | ', undefined);
  const printed = lines.push(Buffer.alloc(200_000, 'y')).toString();
  expect(printed.split('\n').length).toBe(4);
  expect((printed + lines.end().toString()).replaceAll(/x \| |\n/g, '')).toHaveLength(200_000);
});

const log = fc.array(fc.tuple(fc.string(), fc.nat(50)), { maxLength: 20 });

test.prop([fc.array(log, { maxLength: 4 })])('lines of several runs: each run stays in order', (logs) => {
  const given = logs.map((lines, index) => ({
    id: String(index),
    lines: lines.map(([line]) => line),
    times: lines.map(([, atMs]) => atMs),
  }));
  const merged = mergeLines(given);
  for (const { id, lines } of given) {
    expect(merged.filter((line) => line.id === id).map(({ line }) => line)).toEqual(lines);
  }
  expect(merged.map(({ atMs }) => atMs)).toEqual(merged.map(({ atMs }) => atMs).sort((a, b) => a - b));
});

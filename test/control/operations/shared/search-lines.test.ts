import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fc, test } from '@fast-check/vitest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FoundLines, searchLines } from '../../../../src/control/operations/shared/search-lines.js';
import { LogView } from '../../../../src/store/log/log-view.js';

const header = '# command: x\n\n';
const never = new AbortController().signal;

let home = '';

beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-test-'));
});

afterEach(() => {
  fs.rmSync(home, { recursive: true, force: true });
});

function logOf(content: string): LogView {
  const file = path.join(home, 'output.log');
  fs.writeFileSync(file, header + content);
  return new LogView(file, header.length);
}

const piece = fc.constantFrom(
  ...['needle', 'nee', '\u001b[31m', 'dle', ' ', '\t', '\r', '\r\n', '\n', '\n', 'é', '\b', 'x'.repeat(3000)],
  'y'.repeat(70_000),
);
const content = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));

describe('a search in a log', () => {
  test.prop([content, fc.boolean(), fc.nat(20), fc.constantFrom('needle', '/needle$/', '/^(?!.*needle)/')], {
    numRuns: 150,
  })('finds what is shown, whichever way it is read', async (text, plain, offset, pattern) => {
    const view = logOf(text);
    const { lines, totalLines } = await view.lines({ offset: 0, limit: 10_000, plain }, never);
    const regex = new RegExp(pattern.replaceAll('/', ''));
    // Of a line that is not shown whole, more than that may be looked at.
    const isShort = lines.every((line) => line.length < 2000);
    fc.pre(isShort || pattern === 'needle');
    const wanted = [...lines.entries()].filter(([at, line]) => at >= offset && regex.test(line));
    const found = await searchLines(view, [pattern], { offset, limit: 10_000, plain }, never);
    expect(found.numbers).toEqual(wanted.map(([at]) => at));
    expect(found.lines).toEqual(wanted.map(([, line]) => line));
    expect(found).toMatchObject({ totalLines });
    expect(found.nextOffset).toBeUndefined();
  });

  it('comes to the end of a large log that was not read yet', async () => {
    const count = 1_000_000;
    const view = logOf(`${'a line of forty characters, all the same\n'.repeat(count)}a needle\nthe end`);
    const numbers: number[] = [];
    // On a busy machine the time of a search may end before the log does.
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const options = { offset, limit: 10, plain: true };
      const found: FoundLines = await searchLines(view, ['/need.e/', 'the end'], options, never);
      numbers.push(...found.numbers);
      expect(found.totalLines).toBe(count + 2);
      expect(found.nextOffset ?? count + 2).toBeGreaterThan(offset);
      offset = found.nextOffset;
    }
    expect(numbers).toEqual([count, count + 1]);
  });

  it('goes on where it had found enough', async () => {
    const view = logOf('a needle\nno\n'.repeat(50_000));
    const first = await searchLines(view, ['needle'], { offset: 99_001, limit: 2, plain: true }, never);
    expect(first).toMatchObject({ numbers: [99_002, 99_004], nextOffset: 99_006 });
  });
});

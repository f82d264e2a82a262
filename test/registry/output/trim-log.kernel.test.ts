import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { trimLog } from '../../../src/registry/output/trim-log.js';
import { LogView } from '../../../src/store/log/log-view.js';
import { readTrimmed, writeTrimmed } from '../../../src/store/log/trimmed.js';
import { patienceMs } from '../../support/patience.js';
import { removeDirectory } from '../../support/remove-directory.js';

const header = '# command: x\n\n';
const start = header.length;
const capBytes = 256 * 1024;
const never = new AbortController().signal;

let home = '';
let file = '';

beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-test-'));
  file = path.join(home, 'output.log');
  fs.writeFileSync(file, header);
});

afterEach(async () => {
  await removeDirectory(home);
});

const lineOf = (number: number) => `${String(number).padStart(9, '0')} some line of output\n`;

function linesOf(from: number, to: number): string {
  return Array.from({ length: to - from }, (_, at) => lineOf(from + at)).join('');
}

const blocksOf = () => fs.statSync(file).blocks * 512;

describe('the disk cap', () => {
  it('leaves a log below it alone', async () => {
    fs.appendFileSync(file, linesOf(0, 100));
    expect(await trimLog(file, { start, capBytes })).toEqual({ kind: 'small-enough' });
    expect(fs.readdirSync(home)).toEqual(['output.log']);
  });

  it('gives up whole lines at the head; the header, the offsets and the rest stay', async () => {
    const text = linesOf(0, 20_000);
    fs.appendFileSync(file, text);
    const result = await trimLog(file, { start, capBytes });
    const { droppedBytes, droppedLines } = readTrimmed(home);
    expect(result).toEqual({ kind: 'trimmed', droppedBytes, droppedLines });
    expect(blocksOf()).toBeLessThanOrEqual(capBytes);
    expect(text.length - droppedBytes).toBeGreaterThanOrEqual((capBytes * 3) / 4);
    expect(text.length - droppedBytes).toBeLessThan((capBytes * 3) / 4 + 100);
    const bytes = fs.readFileSync(file, 'latin1');
    expect(bytes.slice(0, start)).toBe(header);
    expect(bytes.slice(start, start + droppedBytes)).toBe('\0'.repeat(droppedBytes));
    expect(bytes.slice(start + droppedBytes)).toBe(text.slice(droppedBytes));
    expect(text.slice(0, droppedBytes)).toBe(linesOf(0, droppedLines));
    expect(fs.statSync(path.join(home, 'trimmed.json')).mode & 0o777).toBe(0o600);
  });

  it('never minds a cat that appends meanwhile: no byte of the rest is lost', async () => {
    const appender = spawn('sh', ['-c', 'exec cat >>"$1"', 'sh', file], {
      stdio: ['pipe', 'ignore', 'ignore'],
      timeout: patienceMs,
    });
    const ended = once(appender, 'close');
    const total = 200_000;
    const view = new LogView(file, start);
    let trims = 0;
    let highest = 0;
    for (let from = 0; from < total; from += 2000) {
      if (!appender.stdin.write(linesOf(from, from + 2000))) await once(appender.stdin, 'drain');
      const result = await trimLog(file, { start, capBytes });
      if (result.kind === 'trimmed') trims++;
      highest = Math.max(highest, blocksOf());
      const { droppedLines } = view.trimmed();
      const looked = await view.lines({ offset: droppedLines + 1000, limit: 1, plain: false }, never);
      // The cat may not be that far.
      if (looked.lines.length === 1) expect(`${looked.lines[0]}\n`).toBe(lineOf(looked.offset));
    }
    appender.stdin.end();
    await ended;
    expect(trims).toBeGreaterThan(3);
    expect(highest).toBeLessThan(4 * capBytes);
    const { droppedBytes, droppedLines } = view.trimmed();
    expect(view.size()).toBe(total * lineOf(0).length);
    expect(view.read(droppedBytes, view.size()).toString()).toBe(linesOf(droppedLines, total));
    // The view that looked on, and one of a daemon that was started again.
    for (const reader of [view, new LogView(file, start)]) {
      const last = await reader.lines({ limit: 1, plain: false }, never);
      expect(last).toMatchObject({
        lines: [lineOf(total - 1).trimEnd()],
        offset: total - 1,
        totalLines: total,
        droppedLines,
      });
    }
  });

  it('an endless line is cut where it must be', async () => {
    fs.appendFileSync(file, `first\n${'x'.repeat(4 * capBytes)}`);
    expect(await trimLog(file, { start, capBytes })).toMatchObject({ kind: 'trimmed', droppedLines: 1 });
    expect(blocksOf()).toBeLessThanOrEqual(capBytes);
    const { lines, totalLines } = await new LogView(file, start).lines({ limit: 9, plain: false }, never);
    expect(totalLines).toBe(2);
    expect(lines[0]).toMatch(/^x+ …\(\+\d+ characters\)… x+$/);
  });

  it('killed after the record and before the hole was made, the next daemon makes the hole', async () => {
    const text = linesOf(0, 20_000);
    fs.appendFileSync(file, text);
    const droppedBytes = linesOf(0, 19_000).length;
    writeTrimmed(home, { droppedBytes, droppedLines: 19_000 });
    expect(await trimLog(file, { start, capBytes })).toEqual({
      kind: 'trimmed',
      droppedBytes,
      droppedLines: 19_000,
    });
    expect(blocksOf()).toBeLessThanOrEqual(capBytes);
    expect(fs.readFileSync(file, 'latin1').endsWith(text.slice(droppedBytes))).toBe(true);
  });

  it('a log that cannot be trimmed is left for later', async () => {
    expect(await trimLog(path.join(home, 'none'), { start, capBytes })).toMatchObject({
      kind: 'not-now',
    });
    expect(await trimLog(home, { start, capBytes })).toMatchObject({ kind: 'not-now' });
  });
});

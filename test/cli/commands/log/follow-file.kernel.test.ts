import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GrowingFile } from '../../../../src/control/local/growing-file.js';
import { patienceMs } from '../../../support/patience.js';
import { removeDirectory } from '../../../support/remove-directory.js';

const header = 'header\n';

let dir: string;
let log: string;
let writer: ChildProcess | null = null;

beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'unstuck-follow-'));
  log = path.join(dir, 'output.log');
  writeFileSync(log, header);
});

afterEach(async () => {
  writer?.kill('SIGKILL');
  writer = null;
  await removeDirectory(dir);
});

/** Follows until `isEnough`, then stops. */
async function follow(file: GrowingFile, from: number, isEnough: (got: Buffer) => boolean): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const stop = new AbortController();
  const bound = setTimeout(() => stop.abort(), patienceMs);
  await file.follow(
    from,
    async (chunk) => {
      chunks.push(Buffer.from(chunk));
      if (isEnough(Buffer.concat(chunks))) stop.abort();
    },
    stop.signal,
  );
  clearTimeout(bound);
  file.close();
  return Buffer.concat(chunks);
}

describe('following a log', () => {
  it('every byte of a program that goes on writing, in order, NUL and invalid UTF-8 included', async () => {
    const script = `for i in 1 2 3 4 5 6 7 8; do printf 'line %s \\000\\377\\r\\n' $i; head -c 300000 /dev/urandom; sleep 0.05; done; echo end of it`;
    writer = spawn('sh', ['-c', `{ ${script}; } >> "$1"`, 'sh', log], { stdio: 'ignore' });
    const got = await follow(new GrowingFile(log, header.length), header.length, (all) =>
      all.subarray(-20).includes('end of it\n'),
    );
    expect(got.equals(readFileSync(log).subarray(header.length))).toBe(true);
    expect(got.length).toBeGreaterThan(8 * 300_000);
  });

  it('what was written before the stop is passed on, however late it is asked for', async () => {
    const file = new GrowingFile(log, header.length);
    const stop = new AbortController();
    let got = '';
    const followed = file.follow(
      header.length,
      async (chunk) => {
        got += chunk.toString();
        await delay(20);
      },
      stop.signal,
    );
    appendFileSync(log, 'first\n');
    await delay(5);
    appendFileSync(log, 'last\n');
    stop.abort();
    await followed;
    file.close();
    expect(got).toBe('first\nlast\n');
  });

  it('the head that was given up for the disk cap is left out, not read as zeros', () => {
    appendFileSync(log, 'old\nnew\n');
    writeFileSync(path.join(dir, 'trimmed.json'), JSON.stringify({ droppedBytes: 4, droppedLines: 1 }));
    const file = new GrowingFile(log, header.length);
    expect(file.first).toBe(header.length + 4);
    expect(file.lastLines(10)).toBe(header.length + 4);
    file.close();
  });
});

describe('the last lines of a log', () => {
  it.each([
    ['a\nb\nc\n', 1, 'c\n'],
    ['a\nb\nc\n', 2, 'b\nc\n'],
    ['a\nb\nunfinished', 2, 'b\nunfinished'],
    ['a\nb\n', 9, 'a\nb\n'],
    ['a\n\n\n', 2, '\n\n'],
    ['', 3, ''],
    ['a\n', 0, ''],
  ])('of %j the last %i', (text, count, expected) => {
    appendFileSync(log, text);
    const file = new GrowingFile(log, header.length);
    expect(readFileSync(log).subarray(file.lastLines(count)).toString()).toBe(expected);
    file.close();
  });

  it('found across blocks', () => {
    const line = `${'x'.repeat(99_999)}\n`;
    for (let n = 0; n < 10; n += 1) appendFileSync(log, line);
    const file = new GrowingFile(log, header.length);
    expect(file.size - file.lastLines(7)).toBe(7 * line.length);
    expect(file.lastLines(10)).toBe(header.length);
    truncateSync(log, header.length);
    expect(file.lastLines(7)).toBe(header.length);
    file.close();
  });
});

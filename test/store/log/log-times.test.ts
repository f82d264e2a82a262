import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fc, test } from '@fast-check/vitest';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  firstByteSince,
  isWrittenBefore,
  LogTimes,
  printedAfterMs,
  readLogTimes,
} from '../../../src/store/log/log-times.js';

let home = '';

beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-test-'));
});

afterEach(() => {
  fs.rmSync(home, { recursive: true, force: true });
});

/** A run that prints and is polled: when each byte was printed. */
function play(steps: readonly { waitMs: number; bytes: number; poll: boolean }[]): number[] {
  fs.rmSync(path.join(home, 'times'), { force: true });
  const times = new LogTimes(home);
  const printedMs: number[] = [];
  let atMs = 1_000_000;
  let last = { atMs, bytes: 0 };
  for (const { waitMs, bytes, poll } of steps) {
    atMs += waitMs;
    for (let count = 0; count < bytes; count += 1) printedMs.push(atMs);
    if (!poll) continue;
    if (printedMs.length > last.bytes) times.note(last);
    last = { atMs, bytes: printedMs.length };
  }
  return printedMs;
}

const step = fc.record({ waitMs: fc.nat(5000), bytes: fc.nat(5), poll: fc.boolean() });

test.prop([fc.array(step, { maxLength: 40 }), fc.nat(100_000)])(
  'what was printed since a time is never left out, and no byte is dated too late',
  (steps, sinceMs) => {
    const printedMs = play(steps);
    const times = readLogTimes(home);
    const since = 1_000_000 + sinceMs;
    const first = firstByteSince(times, since);
    expect(printedMs.slice(0, first).every((atMs) => atMs <= since)).toBe(true);
    for (const [offset, atMs] of printedMs.entries()) {
      expect(printedAfterMs(times, offset) ?? 0).toBeLessThanOrEqual(atMs);
    }
  },
);

it('what was printed before the last poll before that time is left out', () => {
  play([
    { waitMs: 0, bytes: 3, poll: true },
    { waitMs: 60_000, bytes: 0, poll: true },
    { waitMs: 60_000, bytes: 2, poll: true },
  ]);
  expect(firstByteSince(readLogTimes(home), 1_000_000 + 100_000)).toBe(3);
  expect(firstByteSince(readLogTimes(home), 1_000_000 + 59_000)).toBe(0);
});

it('the file stays small, and keeps its first and its last hours', () => {
  const times = new LogTimes(home);
  for (let count = 1; count <= 20_000; count += 1) times.note({ atMs: count * 2000, bytes: count });
  expect(fs.statSync(path.join(home, 'times')).size).toBeLessThan(150_000);
  const kept = readLogTimes(home);
  expect(kept.at(-1)).toEqual({ atMs: 40_000_000, bytes: 20_000 });
  expect(kept[0]?.bytes).toBeLessThan(100);
  expect(fs.statSync(path.join(home, 'times')).mode & 0o777).toBe(0o600);
});

it('damaged lines are left out', () => {
  fs.writeFileSync(path.join(home, 'times'), 'x y\n5 \n7 3\n-1 2\n99999999999999999999 1\n8 4');
  expect(readLogTimes(home)).toEqual([{ atMs: 7, bytes: 3 }]);
  expect(readLogTimes(path.join(home, 'missing'))).toEqual([]);
});

it('a line that is printed just after a time is not taken for an older one', async () => {
  const file = path.join(home, 'log');
  for (let count = 0; count < 300; count += 1) {
    const sinceMs = Date.now();
    fs.appendFileSync(file, 'x');
    expect(isWrittenBefore(fs.statSync(file).mtimeMs, sinceMs)).toBe(false);
    await delay(1);
  }
  expect(isWrittenBefore(fs.statSync(file).mtimeMs, Date.now() + 1000)).toBe(true);
});

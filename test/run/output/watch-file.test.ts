import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { watchFile } from '../../../src/run/output/watch-file.js';

const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-watch-'));
const stops: (() => void)[] = [];

afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  vi.restoreAllMocks();
  vi.useRealTimers();
  fs.rmSync(directory, { recursive: true, force: true });
});

function tooMany(): never {
  throw Object.assign(new Error('EMFILE: too many open files, watch'), { code: 'EMFILE' });
}

test.each([
  ['inotify has no room for it', tooMany],
  ['its event is dropped', () => ({ on() {}, close() {} })],
])('a file that grows is noticed though %s', (_, watch) => {
  vi.useFakeTimers();
  vi.spyOn(fs, 'watch').mockImplementation(watch as unknown as typeof fs.watch);
  fs.mkdirSync(directory, { recursive: true });
  const file = path.join(directory, 'log');
  fs.writeFileSync(file, 'one\n');
  let changes = 0;
  const stop = watchFile(file, () => {
    changes += 1;
  });
  stops.push(stop);
  vi.advanceTimersByTime(60_000);
  expect(changes).toBe(0);
  fs.appendFileSync(file, 'two\n');
  vi.advanceTimersByTime(60_000);
  expect(changes).toBe(1);
  stop();
  fs.appendFileSync(file, 'three\n');
  vi.advanceTimersByTime(60_000);
  expect(changes).toBe(1);
});

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { resolveRunSettings } from '../../../src/config/resolve.js';
import { BackgroundLog } from '../../../src/registry/output/background-log.js';
import { RunDirectory } from '../../../src/store/run-directory.js';

const id = 'run_000000000001';
const hourMs = 3_600_000;

let base: string;

beforeEach(() => {
  base = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-test-'));
  fs.mkdirSync(path.join(base, id));
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
  fs.rmSync(base, { recursive: true, force: true });
});

/** Notes how often the limit was asked for. */
function endedLog(text: string): { log: BackgroundLog; asked(): number; print(more: string): void } {
  const file = path.join(base, id, 'output.log');
  fs.writeFileSync(file, text);
  const { settings } = resolveRunSettings({ flags: {}, env: {}, cwd: base, home: base });
  let asked = 0;
  const capBytes = () => {
    asked += 1;
    return Number.POSITIVE_INFINITY;
  };
  const log = new BackgroundLog({
    directory: new RunDirectory(base, id),
    log: { file: 'output.log', start: 0 } as never,
    settings,
    onTerminal: null,
    unseenMs: 0,
    canAnswer: false,
    capBytes,
    warn: () => {},
  });
  log.tail.catchUp();
  return { log, asked: () => asked, print: (more) => fs.appendFileSync(file, more) };
}

test('a log that has ended is not cut when the limit shrinks because other runs have begun', () => {
  const { log, asked } = endedLog('a line\n'.repeat(1000));
  log.keepWhileHeld(() => false);
  vi.advanceTimersByTime(hourMs);
  expect(asked()).toBe(0);
});

test('nor when it grew fast until its end', () => {
  const { log, asked, print } = endedLog('');
  print('a line\n'.repeat(3_000_000));
  log.tail.catchUp();
  log.keepToCap();
  const before = asked();
  log.end();
  vi.advanceTimersByTime(hourMs);
  expect(asked()).toBe(before);
});

test('what outlives a command and prints is kept to the limit', () => {
  const { log, asked, print } = endedLog('a line\n');
  log.keepWhileHeld(() => true);
  vi.advanceTimersByTime(hourMs);
  expect(asked()).toBe(0);
  print('another line\n');
  vi.advanceTimersByTime(hourMs);
  expect(asked()).toBe(1);
  log.close();
});

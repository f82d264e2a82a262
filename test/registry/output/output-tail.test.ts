import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { resolveRunSettings } from '../../../src/config/resolve.js';
import { OutputTail } from '../../../src/registry/output/output-tail.js';
import { RunDirectory } from '../../../src/store/run-directory.js';

const hourMs = 3_600_000;

let base: string;
let log: string;

beforeEach(() => {
  base = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-test-'));
  fs.mkdirSync(path.join(base, 'run_000000000001'));
  log = path.join(base, 'run_000000000001', 'output.log');
});

afterEach(() => {
  vi.useRealTimers();
  fs.rmSync(base, { recursive: true, force: true });
});

function newTail(flags: Record<string, string> = {}): OutputTail {
  const directory = new RunDirectory(base, 'run_000000000001');
  const { settings } = resolveRunSettings({ flags, env: {}, cwd: base, home: base });
  return new OutputTail({
    directory,
    log: { file: 'output.log', start: 0 } as never,
    settings,
    onTerminal: null,
    unseenMs: 0,
  });
}

const agoMs = (tail: OutputTail) => performance.now() - (tail.lastMs ?? Number.NEGATIVE_INFINITY);

test('a clock that is set ahead, or a night suspended, is no silence', () => {
  fs.writeFileSync(log, '');
  const tail = newTail();
  tail.catchUp();
  fs.appendFileSync(log, 'a line\n');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hourMs });
  tail.catchUp();
  expect(agoMs(tail)).toBeLessThan(hourMs / 2);
  tail.catchUp();
  expect(agoMs(tail), 'nor at the next look').toBeLessThan(hourMs / 2);
});

test('output before the first poll is dated by the file: a daemon that adopts a run', () => {
  fs.writeFileSync(log, 'a line\n');
  fs.utimesSync(log, new Date(), new Date(Date.now() - hourMs));
  const tail = newTail();
  tail.catchUp();
  expect(agoMs(tail)).toBeGreaterThan(hourMs / 2);
});

test('heartbeats of an agent are no output: the silence goes on', () => {
  const line = (value: object) => `${JSON.stringify(value)}\n`;
  fs.writeFileSync(log, line({ type: 'assistant', message: { id: 'm', content: [] } }));
  const tail = newTail({ agent: 'claude' });
  expect(tail.catchUp()).toBe(true);
  const { lastMs, lastWriteMs } = tail;
  fs.appendFileSync(log, line({ type: 'tool_progress', tool_use_id: 't-heartbeat-0', heartbeat: true }));
  expect(tail.catchUp()).toBe(false);
  expect([tail.lastMs, tail.lastWriteMs]).toEqual([lastMs, lastWriteMs]);
  expect(tail.agent?.facts()).toMatchObject({ events: 2, heartbeats: 1 });
  fs.appendFileSync(log, line({ type: 'keep_alive' }));
  expect(tail.catchUp()).toBe(true);
  expect(tail.lastMs).toBeGreaterThan(lastMs ?? 0);
});

test('output that a list or a page has read before the tick still counts at the tick', () => {
  fs.writeFileSync(log, '');
  const tail = newTail();
  expect(tail.hasPrinted(true)).toBe(false);
  fs.appendFileSync(log, 'a line\n');
  tail.catchUp();
  expect(tail.hasPrinted(true)).toBe(true);
  expect(tail.hasPrinted(true)).toBe(false);
});

test.each([100_003, 5_000_003])(
  'a line of %d bytes, of which only the end was read, lacks at least as many',
  (bytes) => {
    const line = 'x'.repeat(bytes - 1);
    fs.writeFileSync(log, `${line}\n`);
    const tail = newTail();
    tail.catchUp();
    expect(tail.tail.lastLine).toMatch(/^…\(\+61439 bytes or more\) x+$/);
    fs.appendFileSync(log, `${line.slice(0, 10_000)}\n`);
    tail.catchUp();
    expect(tail.tail.lastLine).toMatch(/^…\(\+5904 bytes\) x+$/);
  },
);

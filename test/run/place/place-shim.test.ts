import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { Failure } from '../../../src/model/failure.js';
import type { PlaceSession, Watch } from '../../../src/places/session.js';
import { PlaceShim } from '../../../src/run/place/place-shim.js';
import { startValidMs } from '../../../src/run/place/start-there.js';
import type { Standing } from '../../../src/run/state.js';
import { RunDirectory } from '../../../src/store/run-directory.js';

const away = new Failure('no-place', 'it broke', 'wait');
/** The shim has just made its claim, and has not written its name yet. */
const claimed = ['1', '-', '-', '-', '0', '0', 'no'];
const running = ['1', '10:20:1', '11:21:1', '-', '0', '0', 'no'];
const killed = ['1', '10:20:0', '11:21:0', '-', '0', '0', 'no'];

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

function shimOf(startedMs?: number) {
  const base = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-shim-'));
  onTestFinished(() => fs.rmSync(base, { recursive: true }));
  const directory = RunDirectory.create('run_00000000001f', base);
  fs.writeFileSync(directory.file('output.log'), '');
  fs.writeFileSync(directory.file('input-at'), '');
  const asked = vi.fn((_: Watch) => () => {});
  const session = { watch: asked, place: { name: 'ssh:box', answerMs: 15_000 } } as unknown as PlaceSession;
  const logs = [{ file: 'output.log', stream: 'both', start: 0 } as const];
  const shim = new PlaceShim({ session, directory, logs, ...(startedMs !== undefined && { startedMs }) });
  const seen = vi.fn((_: Standing) => {});
  shim.follow(seen);
  const watch = asked.mock.calls[0]?.[0] as Watch;
  const isLost = () => seen.mock.calls.some(([{ kind }]) => kind === 'ended');
  return { watch, asked, isLost, seen, directory };
}

test('a run without its shell is lost only when the place shows that again', async () => {
  const { watch, asked, isLost } = shimOf();
  watch.state(killed, 0, [0, 0]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect({ times: asked.mock.calls.length, isLost: isLost() }).toEqual({ times: 2, isLost: false });
  watch.state(killed, 0, [0, 0]);
  expect(isLost()).toBe(true);
});

test('what was seen before the connection broke does not make a run lost', async () => {
  const { watch, isLost, seen } = shimOf();
  watch.state(claimed, 0, [0, 0]);
  watch.reachable(away);
  await vi.advanceTimersByTimeAsync(60_000);
  watch.reachable(null);
  watch.state(claimed, 0, [0, 0]);
  expect(isLost()).toBe(false);
  await vi.advanceTimersByTimeAsync(60_000);
  watch.state(running, 0, [0, 0]);
  expect(isLost()).toBe(false);
  expect(seen).toHaveBeenLastCalledWith(expect.objectContaining({ kind: 'running' }));
});

test('a run that the place does not know may still be started there, until its start is too late', async () => {
  const { watch, isLost, directory } = shimOf(Date.now());
  watch.state(['gone'], 0, [0, 0]);
  await vi.advanceTimersByTimeAsync(startValidMs / 2);
  watch.state(['gone'], 0, [0, 0]);
  expect(isLost()).toBe(false);
  await vi.advanceTimersByTimeAsync(startValidMs);
  watch.state(['gone'], 0, [0, 0]);
  expect(isLost()).toBe(true);
  expect(PlaceShim.lostReason(directory)).toBe('it was never started: the connection to ssh:box broke');
});

test('a run whose files there are gone is lost at once', () => {
  const { watch, isLost, directory } = shimOf(Date.now());
  watch.state(running, 0, [0, 0]);
  watch.state(['gone'], 0, [0, 0]);
  expect(isLost()).toBe(true);
  expect(PlaceShim.lostReason(directory)).toBe('ssh:box has no files of this run any more');
});

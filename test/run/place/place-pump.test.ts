import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { PlaceSession } from '../../../src/places/session.js';
import { feedScript, PlacePump } from '../../../src/run/place/place-pump.js';
import { RunDirectory } from '../../../src/store/run-directory.js';
import { findTool } from '../../support/find-tool.js';

test('while the position of the input stands still, the place is asked for it, less and less often', async () => {
  const base = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-pump-'));
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => {
    vi.useRealTimers();
    fs.rmSync(base, { recursive: true });
  });
  const directory = RunDirectory.create('run_00000000000f', base);
  fs.writeFileSync(directory.file('input'), 'abc');
  const position = (at: number) =>
    fs.writeFileSync(directory.file('input-at'), `${String(at).padEnd(15)} ${String(at).padEnd(15)}\n`);
  position(0);
  const poke = vi.fn();
  const session = { request: async () => ({ status: 0, text: '0' }), poke } as unknown as PlaceSession;
  const pump = new PlacePump({ session, directory, hasEnded: () => false });
  pump.notify('upto 3');
  await vi.waitFor(() => expect(poke).toHaveBeenCalledTimes(1));
  const pokesAfter = async (ms: number) => {
    poke.mockClear();
    for (let passed = 0; passed < ms; passed += 500) {
      vi.advanceTimersByTime(500);
      pump.notify();
    }
    return poke.mock.calls.length;
  };
  await vi.waitFor(async () => expect(await pokesAfter(10_000)).toBeGreaterThan(0));
  expect(await pokesAfter(600_000)).toBeLessThan(20);
  position(3);
  expect(await pokesAfter(600_000)).toBe(0);
});

test.for(['sh', 'bash', 'busybox sh'])(
  'every byte is written as it is, also the first one, by %s',
  (shell, { skip }) => {
    const [program = '', ...words] = shell.split(' ');
    if (findTool(program) === null) skip(`${program} is not installed`);
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    for (const first of ['-', '--', '-v x', '%s', '\\']) {
      const input = Buffer.concat([Buffer.from(first), bytes]);
      const script = `up_feed() { printf "$5"; }; ${feedScript('run_00000000000f', 0, input)}`;
      const { stdout, stderr } = spawnSync(program, [...words, '-c', script]);
      expect(stderr.toString(), first).toBe('');
      expect(stdout.equals(input), first).toBe(true);
    }
  },
);

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { PlaceSession } from '../../../src/places/session.js';
import { Mirror } from '../../../src/run/place/mirror.js';
import { RunDirectory } from '../../../src/store/run-directory.js';

const ended = ['1', '10:20:0', '11:21:0', '3', '0', '0', 'no'];

function mirrorOf(seen = vi.fn(), follow = vi.fn(() => () => {})) {
  const base = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-mirror-'));
  onTestFinished(() => fs.rmSync(base, { recursive: true }));
  const directory = RunDirectory.create('run_00000000000f', base);
  fs.writeFileSync(directory.file('output.log'), '');
  fs.writeFileSync(directory.file('input-at'), '');
  const mirror = new Mirror({
    session: { watch: follow } as unknown as PlaceSession,
    directory,
    logs: [{ file: 'output.log', stream: 'both', start: 0 }],
    seen,
    reachable() {},
  });
  mirror.follow();
  return { mirror, directory, seen, follow };
}

test('an end is not believed before the output that was sent with it', async () => {
  const { mirror, directory, seen, follow } = mirrorOf();
  mirror.state(ended, 0, [5, 0]);
  expect(seen).not.toHaveBeenCalled();
  await vi.waitFor(() => expect(follow).toHaveBeenCalledTimes(2));
  mirror.output(0, 0, Buffer.from('bytes'));
  mirror.state(ended, 0, [5, 0]);
  expect(seen).toHaveBeenCalledWith(expect.objectContaining({ kind: 'known', exit: 3 }));
  expect(fs.readFileSync(directory.file('output.log'), 'utf8')).toBe('bytes');
  mirror.close();
});

test('an end is not before the start, also when the clock there was set in between', () => {
  const { mirror, directory } = mirrorOf();
  mirror.state(ended, 400 * 86_400, [0, 0]);
  expect(fs.statSync(directory.file('exit')).mtimeMs).toBeGreaterThan(Date.now() - 60_000);
  mirror.close();
});

import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withScratch } from '../../bench/scratch.js';

test('what was written there is gone afterwards, also when the work failed', async () => {
  const root = mkdtempSync(join(os.tmpdir(), 'unstuck-test-'));
  const listeners = process.listenerCount('exit');
  try {
    const dirs: string[] = [];
    const work = async (dir: string) => {
      dirs.push(dir);
      writeFileSync(join(dir, 'copy'), 'x');
      if (dirs.length > 1) throw new Error('failed');
      return 'done';
    };
    expect(await withScratch(root, work)).toBe('done');
    await expect(withScratch(root, work)).rejects.toThrow('failed');
    expect(dirs.map((dir) => [dir.startsWith(root), existsSync(dir)])).toEqual([
      [true, false],
      [true, false],
    ]);
    expect(process.listenerCount('exit')).toBe(listeners);
  } finally {
    rmSync(root, { recursive: true });
  }
});

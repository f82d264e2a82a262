import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { pruneRuns } from '../../src/store/prune-runs.js';

it('the oldest finished runs are removed; never a running run, nor anything that is not a run', () => {
  const runs = mkdtempSync(path.join(os.tmpdir(), 'unstuck-test-'));
  try {
    const name = (index: number) => `run_${String(index).padStart(12, '0')}`;
    for (let index = 0; index < 6; index += 1) {
      mkdirSync(path.join(runs, name(index)));
      if (index === 0) continue;
      const report = path.join(runs, name(index), 'report.json');
      writeFileSync(report, '{}');
      utimesSync(report, 1000 + index, 1000 + index);
    }
    mkdirSync(path.join(runs, 'mine'));
    writeFileSync(path.join(runs, 'mine', 'report.json'), '{}');
    pruneRuns(runs, 2);
    expect(readdirSync(runs).sort()).toEqual(['mine', name(0), name(4), name(5)]);
    expect(() => pruneRuns(path.join(runs, 'nowhere'))).not.toThrow();
  } finally {
    rmSync(runs, { recursive: true });
  }
});

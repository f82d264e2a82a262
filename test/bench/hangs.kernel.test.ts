import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hangCases } from '../../bench/hangs/cases.js';
import { chooseCases } from '../../bench/hangs/options.js';
import { type CaseResult, runCase } from '../../bench/hangs/run-case.js';
import { quickScale } from '../../bench/hangs/scale.js';
import { playAll } from '../../bench/hangs/schedule.js';
import { unavailable } from '../../bench/hangs/stage.js';
import { listOfMisses } from '../../bench/hangs/tables.js';

/** The short form: most of it is waiting, and a loaded machine may take its time. */
const msMax = 120_000;

test(
  'A3 A4 A9 G3: of 20 real programs, every hang is named and no healthy one is called stuck',
  async () => {
    const parent = mkdtempSync(join(tmpdir(), 'unstuck-hangs-'));
    const env = { UNSTUCK_TEST_SESSION: process.env.UNSTUCK_TEST_SESSION };
    const cases = chooseCases(hangCases, { quick: true, only: [] }).filter((c) => unavailable(c) === null);
    const results: CaseResult[] = [];
    try {
      await playAll(cases, async (c) => {
        results.push(await runCase(c, { scale: quickScale, ways: [], parent, env }));
      });
      expect(cases.length).toBeGreaterThan(5);
      expect(results.length).toBe(cases.length);
      expect(listOfMisses(results)).toBe('');
    } finally {
      rmSync(parent, { recursive: true, force: true });
    }
  },
  msMax,
);

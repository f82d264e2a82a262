import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hangCases } from '../../bench/hangs/cases.js';
import type { HangCase } from '../../bench/hangs/hang-case.js';
import { chooseCases } from '../../bench/hangs/options.js';
import { type CaseResult, runCase } from '../../bench/hangs/run-case.js';
import { quickScale, scaleBy } from '../../bench/hangs/scale.js';
import { playAll } from '../../bench/hangs/schedule.js';
import { unavailable } from '../../bench/hangs/stage.js';
import { listOfMisses } from '../../bench/hangs/tables.js';
import { healthyCase } from './hang-results.js';

/** The short form: most of it is waiting, and a loaded machine may take its time. */
const msMax = 120_000;

test(
  'of the real programs of the short form, every hang is named and no healthy program is called stuck',
  async () => {
    const parent = mkdtempSync(join(tmpdir(), 'unstuck-hangs-'));
    const env = { UNSTUCK_TEST_SESSION: process.env.UNSTUCK_TEST_SESSION };
    const cases = chooseCases(hangCases, { quick: true, realTime: false, only: [] }).filter(
      (c) => unavailable(c) === null,
    );
    const results: CaseResult[] = [];
    try {
      await playAll(cases, async (c) => {
        results.push(await runCase(c, { scale: quickScale, ways: [], withHistory: false, parent, env }));
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

test(
  'a case that must go on by itself and does not is not scored',
  async () => {
    const parent = mkdtempSync(join(tmpdir(), 'unstuck-hangs-'));
    const env = { UNSTUCK_TEST_SESSION: process.env.UNSTUCK_TEST_SESSION };
    const conditions = { scale: scaleBy(100, 1_000, msMax), ways: [], withHistory: false, parent, env };
    const play = async (exitCode: number) => {
      const run = ['sh', '-c', `sleep 3.5; exit ${exitCode}`];
      const sleeper: HangCase = { ...healthyCase, run, stdin: 'null', goesOn: true };
      return (await runCase(sleeper, conditions)).broken;
    };
    try {
      const [ended, failed] = await Promise.all([play(0), play(3)]);
      expect(ended).toBeNull();
      expect(failed).toContain('did not go on by itself (3)');
    } finally {
      rmSync(parent, { recursive: true, force: true });
    }
  },
  msMax,
);

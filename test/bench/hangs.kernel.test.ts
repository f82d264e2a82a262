import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hangCases } from '../../bench/hangs/cases.js';
import { faultOf } from '../../bench/hangs/fault.js';
import type { HangCase } from '../../bench/hangs/hang-case.js';
import { chooseCases } from '../../bench/hangs/options.js';
import { type CaseResult, runCase } from '../../bench/hangs/run-case.js';
import { quickScale, scaleBy } from '../../bench/hangs/scale.js';
import { playAll } from '../../bench/hangs/schedule.js';
import { unavailable } from '../../bench/hangs/stage.js';
import { Standstill } from '../../bench/hangs/standstill.js';
import { listOfMisses } from '../../bench/hangs/tables.js';
import { treeOf } from '../../bench/hangs/tree.js';
import { startProgram, startSleeper } from '../probe/start-program.js';
import { compile } from '../support/compile.js';
import { removeDirectory } from '../support/remove-directory.js';
import { healthyCase } from './hang-results.js';

/** The short form: most of it is waiting, and a loaded machine may take its time. */
const msMax = 300_000;
/** A case may be disturbed, such as by a disk that does not answer: then it is played again. */
const attemptsMax = 3;

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
      const conditions = { scale: quickScale, ways: [], withHistory: false, parent, env };
      await playAll(cases, async (c) => {
        let result = await runCase(c, conditions);
        for (let attempt = 1; result.broken !== null && attempt < attemptsMax; attempt += 1)
          result = await runCase(c, conditions);
        results.push(result);
      });
      expect(cases.length).toBeGreaterThan(5);
      expect(results.length).toBe(cases.length);
      // What a healthy program waits for may be missed beside other work: it is only sampled.
      const isSeen = (one: CaseResult) => one.case.label === 'stuck' || faultOf(one) !== 'wrong verdict';
      expect(listOfMisses(results.filter(isSeen))).toBe('');
    } finally {
      await removeDirectory(parent);
    }
  },
  msMax,
);

test('a tree that waits for storage stands still, one that sleeps does not', async () => {
  // While the child of a vfork sleeps, its parent is in the same state as one that waits for a disk.
  const [blocked, sleeping] = [await startProgram([await compile('vfork-parent')]), await startSleeper()];
  const [stands, rests] = [new Standstill(), new Standstill()];
  const look = () => {
    stands.look(performance.now(), treeOf(blocked.pid));
    rests.look(performance.now(), treeOf(sleeping.pid));
    return stands.longestMs;
  };
  await expect.poll(look).toBeGreaterThan(100);
  expect(rests.longestMs).toBe(0);
});

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
      await removeDirectory(parent);
    }
  },
  msMax,
);

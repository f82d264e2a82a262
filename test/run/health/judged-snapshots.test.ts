import fs from 'node:fs';
import { expect, test } from 'vitest';
import type { Diagnosis, Health, TreeSample } from '../../../src/model/run/health.js';
import { parseSnapshot } from '../../../src/probe/replay/parse-snapshot.js';
import type { AskLevel } from '../../../src/probe/stacks.js';
import { JudgedSnapshots } from '../../../src/run/health/judged-snapshots.js';

const file = new URL('../../fixtures/snapshots/java-deadlock.json', import.meta.url);
const snapshot = parseSnapshot(fs.readFileSync(file, 'utf8'), 'java-deadlock.json');

/** Whether the runtimes were queried for each of these states of health. */
async function askedFor(level: AskLevel, states: Health[]): Promise<boolean[]> {
  let count = 0;
  const judged = new JudgedSnapshots({
    readsStacks: false,
    ask: async () => {
      count += 1;
      return [{ pid: snapshot.targetPid, threads: [] }];
    },
  });
  await judged.judge({} as TreeSample, {
    snapshot: Promise.resolve(structuredClone(snapshot)),
    end: () => 0,
  });
  const asked: boolean[] = [];
  for (const health of states) {
    const before = count;
    await judged.explain({ health, findings: [], verdict: null } as unknown as Diagnosis, level);
    asked.push(count > before);
  }
  return asked;
}

test('a runtime that was queried in a silence is queried again when the program is stuck', async () => {
  const states: Health[] = ['suspicious', 'suspicious', 'likely-stuck', 'suspicious', 'likely-stuck'];
  expect(await askedFor('quiet', states)).toEqual([true, false, true, false, false]);
});

test('a runtime that prints when it is queried is queried once', async () => {
  expect(await askedFor('ask', ['suspicious', 'likely-stuck', 'confirmed-stuck'])).toEqual([
    true,
    false,
    false,
  ]);
});

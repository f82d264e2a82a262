import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { whySnapshot } from '../../src/control/why-snapshot.js';
import { certainties, neverCertain } from '../../src/model/verdict.js';
import { parseSnapshot } from '../../src/probe/replay/parse-snapshot.js';
import { cases } from '../fixtures/cases.js';
import { faultsOf } from '../support/check-verdict.js';
import { snapshotsDir } from '../support/record-snapshot.js';

const recorded = readdirSync(snapshotsDir).filter((name) => name.endsWith('.json'));

function load(name: string) {
  const file = new URL(`${name}.json`, snapshotsDir);
  return parseSnapshot(readFileSync(file, 'utf8'), name);
}

describe('recorded snapshots keep their verdicts', () => {
  for (const c of cases) {
    test.skipIf(!existsSync(new URL(`${c.name}.json`, snapshotsDir)))(c.name, () => {
      expect(faultsOf(c, whySnapshot(load(c.name)), true)).toEqual([]);
    });
  }

  test('every snapshot belongs to a case, and nearly every case has a snapshot', () => {
    const names = new Set(cases.map(({ name }) => `${name}.json`));
    expect(recorded.filter((name) => !names.has(name))).toEqual([]);
    expect(recorded.length).toBeGreaterThan(cases.length * 0.95);
  });

  test('every near miss names a case that exists and expects another verdict of it', () => {
    const byName = new Map(cases.map((c) => [c.name, c]));
    for (const c of cases) {
      if (c.nearMissOf !== undefined) expect(byName.get(c.nearMissOf), c.name).toBeDefined();
    }
  });

  test('without calls and memory nothing that needs them is certain', () => {
    for (const name of recorded) {
      const snapshot = load(name.replace(/\.json$/, ''));
      for (const process of snapshot.processes) {
        snapshot.absent.push({ source: 'syscall', pid: process.pid, reason: 'not-permitted' });
        for (const thread of process.threads) thread.call = { absent: 'not-permitted' };
      }
      const { kind, certainty } = whySnapshot(snapshot).verdict;
      const fromStat = ['working', 'stopped', 'zombie', 'frozen'].includes(kind);
      if (!fromStat) expect(certainty, `${name}: ${kind}`).not.toBe('certain');
    }
  });

  test('waits are never certain, and every answer has a reason and evidence', () => {
    for (const name of recorded) {
      const { verdict, chain } = whySnapshot(load(name.replace(/\.json$/, '')));
      if (neverCertain.has(verdict.kind)) expect(verdict.certainty, name).not.toBe('certain');
      expect(certainties).toContain(verdict.certainty);
      expect(verdict.reason.length, name).toBeGreaterThan(10);
      expect(verdict.evidence.length, name).toBeGreaterThan(0);
      expect(chain.at(-1)?.pid, name).toBe(verdict.pid);
    }
  });

  test('the same snapshot gives the same answer', () => {
    for (const name of recorded.slice(0, 20)) {
      const snapshot = load(name.replace(/\.json$/, ''));
      expect(whySnapshot(snapshot)).toEqual(whySnapshot(snapshot));
    }
  });
});

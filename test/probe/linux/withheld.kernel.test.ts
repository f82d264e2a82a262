import { describe, expect, test } from 'vitest';
import { whySnapshot } from '../../../src/control/why.js';
import { isAbsent } from '../../../src/model/absence.js';
import { linuxProbe } from '../../../src/probe/linux/linux-probe.js';
import { cases } from '../../fixtures/cases.js';
import { available } from '../../support/compile.js';
import { startCase } from '../../support/start-case.js';
import { snapshotOf } from '../contract.js';

/** Programs about which everything is certain while it can be read. */
const names = [
  'cat-pipe',
  'poll-stdin',
  'pause-bare',
  'mutex-relock',
  'python-lock-ab-ba',
  'own-pipe-read',
  'epoll-nothing',
  'sleep',
];

describe('G5 without calls and memory nothing is certain', () => {
  for (const name of names) {
    const found = cases.find((one) => one.name === name);
    test.skipIf(found === undefined || available(found) !== null)(name, async () => {
      if (found === undefined) return;
      const started = await startCase(found);
      try {
        const snapshot = await snapshotOf(linuxProbe, started.targetPid, { withhold: ['syscall', 'mem'] });
        for (const { threads } of snapshot.processes)
          for (const { call } of threads) expect(isAbsent(call)).toBe(true);
        const { verdict, absent } = whySnapshot(snapshot);
        expect([verdict.kind, verdict.certainty]).not.toEqual([verdict.kind, 'certain']);
        expect(absent.find(({ fact }) => fact.startsWith('system calls'))?.why).toContain('withheld');
        if (found.certain === true) {
          const whole = whySnapshot(await snapshotOf(linuxProbe, started.targetPid));
          expect([name, whole.verdict.certainty]).toEqual([name, 'certain']);
        }
      } finally {
        await started.stop();
      }
    });
  }

  test('the names above are cases, and half of them are certain otherwise', () => {
    const known = names.map((name) => cases.find((one) => one.name === name));
    expect(known).not.toContain(undefined);
    expect(known.filter((one) => one?.certain === true).length).toBeGreaterThanOrEqual(4);
  });
});

import { describe, expect, test } from 'vitest';
import { whySnapshot } from '../../../src/control/why-snapshot.js';
import { isAbsent } from '../../../src/model/facts/absence.js';
import { linuxProbe } from '../../../src/probe/linux/linux-probe.js';
import { type Case, cases } from '../../fixtures/cases.js';
import { askUntil } from '../../support/ask-until.js';
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

async function withCase(name: string, check: (pid: number, one: Case) => Promise<void>): Promise<void> {
  const found = cases.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no case ${name}`);
  const started = await startCase(found);
  try {
    await check(started.targetPid, found);
  } finally {
    await started.stop();
  }
}

/** Why a case cannot run here, or null; a name that is no case runs, and fails. */
function missing(name: string): string | null {
  const found = cases.find((one) => one.name === name);
  return found === undefined ? null : available(found);
}

describe('without calls and memory nothing is certain', () => {
  for (const name of names) {
    test.skipIf(missing(name) !== null)(name, () =>
      withCase(name, async (pid, { certain }) => {
        const snapshot = await snapshotOf(linuxProbe, pid, { withhold: ['syscall', 'mem'] });
        const calls = snapshot.processes.flatMap(({ threads }) => threads.map(({ call }) => call));
        expect(calls.filter((call) => !isAbsent(call))).toEqual([]);
        const { verdict, absent } = whySnapshot(snapshot);
        expect([verdict.kind, verdict.certainty]).not.toEqual([verdict.kind, 'certain']);
        expect(absent.find(({ fact }) => fact.startsWith('system calls'))?.why).toContain('withheld');
        if (certain !== true) return;
        const whole = await askUntil(
          async () => whySnapshot(await snapshotOf(linuxProbe, pid)),
          ({ verdict }) => verdict.certainty === 'certain',
        );
        expect([name, whole.verdict.certainty]).toEqual([name, 'certain']);
      }),
    );
  }

  test('half of these are certain otherwise', () => {
    const certain = cases.filter((one) => names.includes(one.name) && one.certain === true);
    expect(certain.length).toBeGreaterThanOrEqual(4);
  });
});

describe('with calls, but without the memory behind their arguments', () => {
  for (const name of ['poll-stdin', 'mutex-relock', 'python-lock-ab-ba']) {
    test.skipIf(missing(name) !== null)(name, () =>
      withCase(name, async (pid) => {
        const snapshot = await snapshotOf(linuxProbe, pid, { withhold: ['mem'] });
        const { verdict, absent } = whySnapshot(snapshot);
        expect([verdict.kind, verdict.certainty]).not.toEqual([verdict.kind, 'certain']);
        expect(absent.map(({ fact }) => fact).join()).toContain('memory behind arguments');
      }),
    );
  }
});

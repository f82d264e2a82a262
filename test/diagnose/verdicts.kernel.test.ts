import { describe, expect, test } from 'vitest';
import { why, whyWithSnapshot } from '../../src/control/why.js';
import { cases } from '../fixtures/cases.js';
import { canBeProven, degradedFaultsOf, faultsOf } from '../support/check-verdict.js';
import { available } from '../support/compile.js';
import { recordSnapshot } from '../support/record-snapshot.js';
import { isSecondPass } from '../support/second-pass.js';
import { startCase } from '../support/start-case.js';

/** `npm run record` writes the snapshots that recorded.test.ts replays. */
const recording = process.env.UNSTUCK_RECORD === '1';

const everySecond = cases.filter((_, index) => index % 2 === 0);

describe.concurrent('verdicts on real programs', () => {
  for (const c of isSecondPass ? everySecond : cases) {
    test(`${c.name}: ${c.about}`, async ({ skip }) => {
      const missing = await available(c);
      if (missing !== null) skip(missing);
      const started = await startCase(c);
      try {
        const { answer, snapshot } = await whyWithSnapshot(started.targetPid);
        const faults = faultsOf(c, answer, canBeProven(snapshot));
        expect(faults, JSON.stringify({ faults, absent: answer.absent })).toEqual([]);
        if (recording) {
          // A recording of what can be proven must have all that the proof needs.
          if (c.certain === true)
            expect(canBeProven(snapshot), 'some process has an alarm: record again').toBe(true);
          recordSnapshot(c.name, snapshot);
        }
        const degraded = await why(started.targetPid, { withhold: ['syscall', 'mem'] });
        expect(degradedFaultsOf(c, degraded)).toEqual([]);
      } finally {
        await started.stop();
      }
    });
  }
});

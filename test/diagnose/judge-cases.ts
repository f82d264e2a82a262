import { describe, expect, test } from 'vitest';
import { why, whyWithSnapshot } from '../../src/control/why.js';
import { cases } from '../fixtures/cases.js';
import { askUntil } from '../support/ask-until.js';
import { canBeProven, degradedFaultsOf, faultsOf, wrongsOf } from '../support/check-verdict.js';
import { available } from '../support/compile.js';
import { patienceMs } from '../support/patience.js';
import { recordSnapshot } from '../support/record-snapshot.js';
import { isSecondPass } from '../support/second-pass.js';
import { startCase } from '../support/start-case.js';

/** `npm run record` writes the snapshots that recorded.test.ts replays. */
const recording = process.env.UNSTUCK_RECORD === '1';

/** At the first use a program has to be compiled as well. */
const boundMs = 6 * patienceMs;

/** The second pass, as a normal user, has little time: what differs there is what can be read, not the program. */
const everyThird = cases.filter((_, index) => index % 3 === 0);

/** Two files share the cases, or in the pass as a normal user the last of them would run alone: they mostly wait. */
export function judgeHalf(half: 0 | 1): void {
  const chosen = isSecondPass ? everyThird : cases;
  describe.concurrent('verdicts on real programs', { timeout: boundMs }, () => {
    for (const c of chosen.filter((_, index) => index % 2 === half)) {
      test(`${c.name}: ${c.about}`, async ({ skip }) => {
        const missing = await available(c);
        if (missing !== null) skip(missing);
        const started = await startCase(c);
        try {
          // On a busy machine its program may run again: an answer that only says less is asked for again.
          const { answer, snapshot, faults } = await askUntil(
            async () => {
              const { answer, snapshot } = await whyWithSnapshot(started.targetPid);
              expect(wrongsOf(c, answer)).toEqual([]);
              return { answer, snapshot, faults: faultsOf(c, answer, canBeProven(snapshot)) };
            },
            ({ faults }) => faults.length === 0,
          );
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
}

import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { whyWithSnapshot } from '../../src/control/why.js';
import { cases } from '../fixtures/cases.js';
import { faultsOf } from '../support/check-verdict.js';
import { available } from '../support/compile.js';
import { startCase } from '../support/start-case.js';

/** `UNSTUCK_RECORD=1` writes the snapshots that test/diagnose/recorded.test.ts replays. */
const recordDir = process.env.UNSTUCK_RECORD ? new URL('../fixtures/snapshots/', import.meta.url) : null;

describe.concurrent('G2 G3 G4 verdicts on real programs', () => {
  for (const c of cases) {
    test(`${c.name}: ${c.about}`, async ({ skip }) => {
      const missing = await available(c);
      if (missing !== null) skip(missing);
      const started = await startCase(c);
      try {
        const { answer, snapshot } = await whyWithSnapshot(started.targetPid);
        expect(faultsOf(c, answer, true), JSON.stringify(answer.absent)).toEqual([]);
        if (recordDir !== null) {
          mkdirSync(recordDir, { recursive: true });
          writeFileSync(new URL(`${c.name}.json`, recordDir), `${JSON.stringify(snapshot)}\n`);
        }
      } finally {
        await started.stop();
      }
    });
  }
});

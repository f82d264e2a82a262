import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { RunAgain } from '../../../src/run/output/run-again.js';

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await null;
}

describe('work that is asked for while it is being done', () => {
  test.prop([fc.array(fc.record({ afterTurns: fc.nat(12), workTurns: fc.nat(4) }), { maxLength: 12 })])(
    'is begun again after each call, and never done twice at a time',
    async (calls) => {
      let begun = 0;
      let atWork = 0;
      const durations = calls.map(({ workTurns }) => workTurns);
      const work = new RunAgain(async () => {
        begun += 1;
        atWork += 1;
        expect(atWork).toBe(1);
        await turns(durations.shift() ?? 0);
        atWork -= 1;
      });
      const missed: number[] = [];
      await Promise.all(
        calls.map(async ({ afterTurns }) => {
          await turns(afterTurns);
          const before = begun;
          await work.run();
          if (begun === before) missed.push(afterTurns);
        }),
      );
      expect(missed).toEqual([]);
      expect(begun).toBeLessThanOrEqual(calls.length);
    },
  );

  test('that fails is done anew by the next call', async () => {
    let begun = 0;
    const work = new RunAgain(async () => {
      begun += 1;
      if (begun === 1) throw new Error('not now');
    });
    await expect(work.run()).rejects.toThrow('not now');
    await work.run();
    expect(begun).toBe(2);
  });
});

import { expect, test } from 'vitest';
import { whyWithSnapshot } from '../../../../../src/control/why.js';
import type { ProcessFacts } from '../../../../../src/model/facts/snapshot.js';
import { cases } from '../../../../fixtures/cases.js';
import { askUntil } from '../../../../support/ask-until.js';
import { available } from '../../../../support/compile.js';
import { startCase } from '../../../../support/start-case.js';

const looks = 4;

async function look(pid: number, options?: { withhold: ['mem'] }): Promise<ProcessFacts | undefined> {
  const { snapshot } = await whyWithSnapshot(pid, options);
  return snapshot.processes.find((process) => process.pid === pid);
}

const stripped = cases.find(({ name }) => name === 'go-stripped');

test('without memory the goroutines are withheld; with it they are found, and no thread has run', async ({
  skip,
}) => {
  if (stripped === undefined) throw new Error('no such case');
  const missing = available(stripped);
  if (missing !== null) skip(missing);
  const started = await startCase(stripped);
  try {
    // More often than a place that cannot be found would be searched.
    for (let count = 0; count < looks; count += 1)
      expect((await look(started.targetPid, { withhold: ['mem'] }))?.goroutines).toEqual({
        absent: 'withheld',
      });
    // The runtime has a thread that wakes up now and then.
    const seen = await askUntil(
      () => look(started.targetPid),
      (facts) => facts?.threads.every(({ moved }) => moved === false) === true,
    );
    expect(seen?.goroutines).toMatchObject({ running: 0, inCalls: 0, signals: null, unread: 0 });
    expect(seen?.goroutines).toHaveProperty(
      'waits',
      expect.arrayContaining([{ reason: 'chan receive', count: 2 }]),
    );
    expect(seen?.threads.map(({ moved }) => moved)).toEqual(seen?.threads.map(() => false));
  } finally {
    await started.stop();
  }
});

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { whySnapshot } from '../../../src/control/why-snapshot.js';
import { parseSnapshot } from '../../../src/probe/replay/parse-snapshot.js';
import { snapshotsDir } from '../../support/record-snapshot.js';

/** A recorded deadlock; `beside`: with one more thread that sleeps. */
function stepsOf(name: string, { beside }: { beside: boolean }): string[] {
  const snapshot = parseSnapshot(readFileSync(new URL(`${name}.json`, snapshotsDir), 'utf8'), name);
  const process = snapshot.processes.find(({ pid }) => pid === snapshot.targetPid);
  const [first] = process?.threads ?? [];
  if (process === undefined || first === undefined) throw new Error('no process');
  if (beside)
    process.threads.push({
      ...first,
      ...{ tid: 999_999, namespaceTid: 999_999, name: 'ticker', moved: true, wchan: 'hrtimer_nanosleep' },
      call: {
        ...{ at: 'call', number: 230, name: 'clock_nanosleep', args: [], repeated: false },
        timeout: { ms: 1000, absolute: false },
      },
    });
  const { verdict, findings } = whySnapshot(snapshot);
  const steps = [verdict, ...findings].flatMap(({ next }) => next).filter((step) => step.startsWith('stop'));
  expect(steps.length).toBeGreaterThan(0);
  return steps;
}

test.each(['mutex-ab-ba', 'java-deadlock'])(
  '%s: a process of which nothing goes on is to be stopped',
  (name) => {
    expect(stepsOf(name, { beside: false })).toEqual([
      expect.stringMatching(/^stop it, it cannot go on: kill \d+$/),
    ]);
  },
);

test.each(['mutex-ab-ba', 'java-deadlock'])(
  '%s: beside other threads only the threads cannot go on',
  (name) => {
    for (const step of stepsOf(name, { beside: true }))
      expect(step).toMatch(/^stop the whole process, these threads cannot go on: kill \d+$/);
  },
);

test('a thread that waits for itself beside other threads is one thread', () => {
  for (const step of stepsOf('mutex-relock', { beside: true }))
    expect(step).toMatch(/^stop the whole process, this thread cannot go on: kill \d+$/);
});

import { expect, test } from 'vitest';
import type { RunEvent } from '../../../src/model/run/run.js';
import type { Finding } from '../../../src/model/verdict.js';
import { Journal } from '../../../src/run/journal.js';
import { Ending } from '../../../src/run/stop/ending.js';
import { readIdentity } from '../../support/read-tree.js';
import { isAlive, startRun, until } from './start-run.js';

test('a run whose end comes from the stop of a stuck part is not over before that is reported', async () => {
  const { leader, scan, line } = await startRun(['sh', '-c', 'sleep 300 & echo $!; wait']);
  const part = readIdentity(Number(line));
  const told: RunEvent[] = [];
  const ending = new Ending({
    journal: new Journal(null, (event) => told.push(event)),
    graceMs: 20_000,
    directory: null,
    tree: Promise.resolve({ leader, scan }),
    hasExited: () => !isAlive(leader),
  });
  ending.stopParts([{ root: part, reason: 'it is stuck' } as Finding]);
  await until(() => !isAlive(leader), 'its parent goes on, and ends');
  await ending.settled;
  expect(ending.isStoppingPart).toBe(false);
  expect(told).toMatchObject([{ kind: 'part-stopped', receipt: { survivors: [] } }]);
});

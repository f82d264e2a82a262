import { expect, it } from 'vitest';
import type { TableReading } from '../../../src/probe/linux/members/table-reading.js';
import { type MemberSource, terminate } from '../../../src/run/stop/terminate.js';
import { compile } from '../../support/compile.js';
import { patienceMs } from '../../support/patience.js';
import { isAlive, type StartedRun, startCanary, startRun, until } from './start-run.js';

/** What the trees were first looked at with. */
class Looks {
  readonly first = new Set<TableReading | undefined>();

  through({ scan }: StartedRun): MemberSource {
    let isFirst = true;
    return {
      shim: scan.shim,
      get isWhole() {
        return scan.isWhole;
      },
      scan: (options) => {
        if (isFirst) this.first.add(options?.table);
        isFirst = false;
        return scan.scan(options);
      },
    };
  }
}

const pidsOf = (some: readonly { pid: number }[]) => some.map(({ pid }) => pid).sort((a, b) => a - b);

it('many trees at once share their scans; each receipt has its own tree only, a fork storm among them too', async () => {
  const [crowd, storm] = [await compile('tree/crowd'), await compile('tree/storm')];
  const start = (...how: string[]) => startRun([crowd, '2', ...how]);
  const polite = await Promise.all(Array.from({ length: 8 }, () => start()));
  const deaf = await Promise.all(Array.from({ length: 8 }, () => start('deaf')));
  const bystander = await start();
  const canary = await startCanary([storm, '40']);
  const trees = [...polite, ...deaf];
  await until(() => [...trees, bystander].every(({ scan }) => scan.scan().length === 3), 'all are there');
  const before = trees.map(({ scan }) => scan.scan());
  const untouched = bystander.scan.scan();
  const stormy = await startRun([storm, '40']);

  const looks = new Looks();
  const receipts = await Promise.all(
    [...trees, stormy].map((run) => {
      const graceMs = polite.includes(run) ? patienceMs : 1000;
      return terminate({ scan: looks.through(run), signal: 'SIGTERM', graceMs });
    }),
  );

  const stormReceipt = receipts.pop();
  for (const [index, { processes, survivors }] of receipts.entries()) {
    const signals = index < polite.length ? ['SIGTERM'] : ['SIGTERM', 'SIGSTOP', 'SIGKILL'];
    expect(pidsOf(processes)).toEqual(pidsOf(before[index] ?? []));
    expect(processes.map((process) => process.signals)).toEqual([signals, signals, signals]);
    expect(survivors).toEqual([]);
  }
  expect(before.flat().filter(isAlive)).toEqual([]);
  expect(stormReceipt?.processes.length).toBeGreaterThan(20);
  expect(stormReceipt?.survivors).toEqual([]);
  expect(stormy.scan.scan({ fresh: true })).toEqual([]);
  expect(untouched.filter(isAlive)).toHaveLength(3);
  expect(await canary.heard()).toEqual([]);
  expect(looks.first).not.toContain(undefined);
  // One, where there is CPU enough that it is not too old for the last of them.
  expect(looks.first.size).toBeLessThan(trees.length);
});

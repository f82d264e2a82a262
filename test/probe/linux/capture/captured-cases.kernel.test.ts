import { describe, expect, test } from 'vitest';
import { whySnapshot } from '../../../../src/control/why-snapshot.js';
import { collect, localShell, snapshotOf } from '../../../../src/probe/captures.js';
import { linuxProbe } from '../../../../src/probe/snapshots.js';
import { cases } from '../../../fixtures/cases.js';
import { askUntil } from '../../../support/ask-until.js';
import { capturedFaultsOf, hasRun } from '../../../support/check-capture.js';
import { available } from '../../../support/compile.js';
import { patienceMs } from '../../../support/patience.js';
import { isSecondPass } from '../../../support/second-pass.js';
import { startCase } from '../../../support/start-case.js';

/** UNSTUCK_CAPTURE=0/3 and so on judge every labelled program in three parts, in more time than the suite has. */
const [part, every] = process.env.UNSTUCK_CAPTURE?.split('/').map(Number) ?? [isSecondPass ? 18 : 0, 37];
/** What can end their waits shows in processes that a capture reads in part only. */
const hidden =
  /^(ended-leader-(mapping|memory|eventfd)|clone-vm-waker-adopted|timerfd-shared-adopted|epoll-shared-(adopted|exec))$/;
const shells = [
  ['sh', '-s'],
  ['bash', '-s'],
  ['busybox', 'sh', '-s'],
];

/** A connection that has had its answer shows in the byte counters of TCP, which no shell can read. */
const counted = /^prompt-with-idle-connection$/;

const chosen = cases.filter(
  ({ name }, index) =>
    (index % (every ?? 1) === part && !counted.test(name)) || (!isSecondPass && hidden.test(name)),
);

let capturing: Promise<unknown> = Promise.resolve();

/** One at a time: each starts hundreds of processes, and has a minute. */
function capture(pid: number, shell: string[]): ReturnType<typeof collect> {
  const captured = capturing.then(() => collect(pid, localShell(shell)));
  capturing = captured.catch(() => {});
  return captured;
}

/** They wait for each other. */
const boundMs = 6 * patienceMs;

describe.concurrent('a capture of a plain shell', { timeout: boundMs }, () => {
  for (const [index, c] of chosen.entries()) {
    const shell = shells[index % shells.length] ?? ['sh', '-s'];
    test(`${c.name} (${shell[0]}): judged as live, or weaker for a reason`, async ({ skip }) => {
      const missing = await available(c);
      if (missing !== null) skip(missing);
      const started = await startCase(c);
      try {
        const { live, captured } = await askUntil(
          async () => ({
            live: whySnapshot(await linuxProbe.snapshot(started.targetPid)),
            captured: whySnapshot(await snapshotOf(await capture(started.targetPid, shell))),
          }),
          ({ live, captured }) => !hasRun(captured, live) || capturedFaultsOf(c, captured, live).length === 0,
        );
        const line = [
          c.name,
          live.verdict.kind,
          live.verdict.certainty,
          captured.verdict.kind,
          captured.verdict.certainty,
        ];
        if (process.env.UNSTUCK_CAPTURE !== undefined) console.log(`CAPTURED ${line.join(' ')}`);
        expect(capturedFaultsOf(c, captured, live)).toEqual([]);
      } finally {
        await started.stop();
      }
    });
  }
});

import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { why } from '../../../../../src/control/why.js';
import { isAbsent } from '../../../../../src/model/facts/absence.js';
import { Memory } from '../../../../../src/probe/linux/proc/mem.js';
import { ProcDir } from '../../../../../src/probe/linux/proc/proc-dir.js';
import { type Monitors, readMonitors } from '../../../../../src/probe/linux/runtimes/java/monitors.js';
import type { Case } from '../../../../fixtures/cases/case.js';
import { javaCases } from '../../../../fixtures/cases/java.js';
import { askUntil } from '../../../../support/ask-until.js';
import { available } from '../../../../support/compile.js';
import { findTool } from '../../../../support/find-tool.js';
import { patienceMs } from '../../../../support/patience.js';
import { startCase } from '../../../../support/start-case.js';

const looks = 300;
const homes = '/usr/lib/jvm';

function caseOf(name: string) {
  const found = javaCases.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no case ${name}`);
  return found;
}

/** Older ones do not run what a newer compiler made. */
const versionMin = 17;

function versionOf(home: string): number {
  const release = `${homes}/${home}/release`;
  const text = existsSync(release) ? readFileSync(release, 'utf8') : '';
  return Number(/^JAVA_VERSION="(\d+)/m.exec(text)?.[1] ?? 0);
}

/** Other Java machines than the one all cases run with, each in its own home where distributions put them. */
function otherJavas(): string[] {
  const usual = findTool('java');
  if (usual === null || !existsSync(homes)) return [];
  const recent = readdirSync(homes).filter((home) => versionOf(home) >= versionMin);
  const all = recent.map((home) => `${homes}/${home}/bin/java`);
  const real = new Set(all.filter((path) => existsSync(path)).map((path) => realpathSync(path)));
  real.delete(realpathSync(usual));
  return [...real];
}

function hasCircle(monitors: Monitors): boolean {
  return [...monitors.keys()].some((start) => {
    const seen = new Set<number>();
    for (let at: number | undefined = start; at !== undefined; at = monitors.get(at)?.owner) {
      if (seen.has(at)) return true;
      seen.add(at);
    }
    return false;
  });
}

function waitersIn(monitors: Monitors): number {
  return [...monitors.values()].filter((monitor) => monitor !== null).length;
}

async function withMachine(
  c: Case,
  look: (read: () => Monitors, pid: number) => Promise<void> | void,
): Promise<void> {
  const started = await startCase(c);
  const dir = ProcDir.open(started.targetPid);
  if (isAbsent(dir)) throw new Error(`no process ${started.targetPid}`);
  const memory = Memory.of(dir, null);
  try {
    // Each time anew: on a busy machine some threads begin late.
    const threads = () => {
      const tids = dir.numbers('task');
      return isAbsent(tids) ? [] : tids.map((tid) => ({ tid, namespaceTid: tid }));
    };
    await look(() => readMonitors(dir, memory, threads()), started.targetPid);
  } finally {
    memory.close();
    dir.close();
    await started.stop();
  }
}

describe.skipIf(available(caseOf('java-deadlock')) !== null)('Java machines', { concurrent: true }, () => {
  test.each(['java-monitor-fight', 'java-lock-fight'])(
    `%s, ${looks} reads: waiters, and never a cycle`,
    async (name) => {
      await withMachine(caseOf(name), (read) => {
        let waiting = 0;
        const untilMs = performance.now() + patienceMs / 2;
        // How many waiters are seen depends on how often the threads get a CPU.
        const isEnough = () => waiting > looks / 20 || performance.now() > untilMs;
        for (let look = 0; look < looks || !isEnough(); look += 1) {
          const monitors = read();
          waiting += waitersIn(monitors);
          expect(hasCircle(monitors), JSON.stringify([...monitors])).toBe(false);
        }
        expect(waiting).toBeGreaterThan(looks / 20);
      });
    },
  );

  const others = otherJavas();
  test.skipIf(others.length === 0).each(['java-deadlock', 'java-locks'])(
    '%s in every other Java machine that is installed',
    async (name) => {
      const deadlock = caseOf(name);
      for (const java of others) {
        await withMachine({ ...deadlock, run: [java, ...deadlock.run.slice(1)] }, async (_, pid) => {
          const { verdict } = await askUntil(
            () => why(pid),
            ({ verdict }) => verdict.certainty === 'certain',
          );
          expect([java, verdict.kind, verdict.certainty]).toEqual([java, 'deadlock', 'certain']);
          expect(verdict.reason).toMatch(deadlock.says ?? /never/);
        });
      }
    },
  );

  test.each([
    ['-XX:-UseCompressedOops', 2],
    // Moves objects while threads run: nothing that is read there is a proof.
    ['-XX:+UseZGC', 0],
  ] as const)('java-locks with %s', async (option, waiters) => {
    const locks = caseOf('java-locks');
    const [java = '', ...rest] = locks.run;
    await withMachine({ ...locks, run: [java, option, ...rest] }, async (read) => {
      const found = await askUntil(
        () => waitersIn(read()),
        (count) => count === waiters,
      );
      expect(found).toBe(waiters);
    });
  });
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { cases } from '../fixtures/cases.js';
import { available } from './compile.js';
import { readIdentity } from './read-tree.js';
import { startCase } from './start-case.js';

// One of each way to be hard to stop: terminal, pipe, helper outside, orphan, stopped, frozen, dead leader, fork loop.
const hard = [
  'less-file',
  'cat-chain',
  'recv-stopped-server',
  'popen-lingering',
  'stopped-by-sigtstp',
  'frozen-v1',
  'frozen-v2',
  'zombie-leader-sleeps',
  'shell-fork-loop',
];

function markedPids(): number[] {
  const entry = `UNSTUCK_TEST_SESSION=${process.env.UNSTUCK_TEST_SESSION}`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => {
      try {
        const environ = readFileSync(`/proc/${name}/environ`, 'latin1').split('\0');
        return environ.includes(entry) && environ.some((line) => line.startsWith('UNSTUCK_TEST_CASE='));
      } catch {
        return false;
      }
    })
    .map(Number);
}

describe('startCase', () => {
  afterEach(() => vi.unstubAllEnvs());

  for (const c of cases.filter((one) => hard.includes(one.name))) {
    it(`leaves nothing of ${c.name} behind`, async (context) => {
      const reason = available(c);
      if (reason !== null) return context.skip(reason);
      vi.stubEnv('UNSTUCK_TEST_SESSION', `start-case-${process.pid}-${c.name}`);
      const started = await startCase(c);
      const identity = readIdentity(started.targetPid);
      expect(identity.startTicks).toBeGreaterThan(0);
      await started.stop();
      expect(markedPids()).toEqual([]);
      const threads = existsSync(`/proc/${identity.pid}/task`)
        ? readdirSync(`/proc/${identity.pid}/task`)
        : [];
      if (readIdentity(identity.pid).startTicks === identity.startTicks) expect(threads.length).toBe(1);
    });
  }
});

import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type KillOptions, killRun } from '../../src/registry/kill-run.js';
import type { Run } from '../../src/run/run.js';

const hourMs = 3_600_000;

/** A run whose kill takes a while. */
function slowRun(unreadSinceMs: number | null, killMs: number): Run {
  return {
    state: { kind: 'running' },
    tree: Promise.resolve({ scan: {} }),
    ending: { unreadSinceMs },
    parts: { about: { id: 'run_000000000001' } },
    kill: () => delay(killMs, undefined, { ref: false }),
  } as unknown as Run;
}

const options: KillOptions = {
  orders: { read: () => null } as never,
  requestId: 'x',
  graceMs: 0,
  untilEnded: async () => {},
};

test('a kill that takes long is waited for while every process can be read', async () => {
  expect(await killRun(slowRun(null, 1200), options)).toEqual({ receipt: null });
});

test('a kill is not proven when not every process could be read for a long time', async () => {
  const run = slowRun(performance.now() - hourMs, hourMs);
  await expect(killRun(run, options)).rejects.toThrow(/not every process can be read.*run_000000000001/);
});

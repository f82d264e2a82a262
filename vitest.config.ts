import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.js';
import { patienceMs } from './test/support/patience.js';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));

// Everything a test starts inherits this, so that scripts/test.mjs can find what outlived it.
process.env.UNSTUCK_TEST_SESSION ??= randomUUID();

// Each Node that a test starts would read all certificates in it, which takes longer than the rest of its start.
delete process.env.NODE_EXTRA_CA_CERTS;

const kernelTests = 'test/**/*.kernel.test.ts';

export default defineConfig({
  define: { __UNSTUCK_VERSION__: JSON.stringify(version) },
  test: {
    pool: 'forks',
    setupFiles: ['test/support/hooks.ts'],
    sequence: { sequencer: LongestFirst },
    // Of tests that are marked as concurrent: they mostly wait.
    maxConcurrency: 6,
    // A dumb terminal is drawn on differently: the tests that are about it say so.
    env: { UNSTUCK_TEST_SESSION: process.env.UNSTUCK_TEST_SESSION, TERM: 'xterm' },
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: ['test/**/*.test.ts'],
          exclude: [kernelTests],
          // Loading is most of what they cost, and they leave nothing behind that another could see.
          isolate: false,
          maxWorkers: availableParallelism(),
          // A property takes its time where CPUs are scarce.
          testTimeout: 3 * patienceMs,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          // Real processes: few at once, or a loaded machine makes them look stuck.
          name: 'kernel',
          include: [kernelTests],
          isolate: false,
          maxWorkers: 4,
          // Longer than any wait for a condition (test/support/patience.ts), so that a failure names the condition.
          testTimeout: 3 * patienceMs,
          hookTimeout: 3 * patienceMs,
          expect: { poll: { timeout: patienceMs, interval: 20 } },
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

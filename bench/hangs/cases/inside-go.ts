import { family } from '../hang-case.js';

const run = (...args: string[]) => ['{bin}/go-inside', ...args];

const besides = ['ticker', 'listener', 'signal', 'pool'] as const;
const waits = ['locks', 'globals', 'channels', 'group'] as const;
const pairs = besides.map((beside, index) => ({ beside, wait: waits[index % waits.length] ?? waits[0] }));

/** Goroutines: locks, variables, channels, a WaitGroup. */
export const goInsideStuck = family(
  'inside a living program',
  { label: 'stuck', actor: 'its author' },
  pairs.map(({ beside, wait }) => ({
    name: `go-inside-${beside}-${wait}`,
    why: `two wait for each other (${wait}), beside a ${beside} that lives.`,
    run: run(beside, wait, 'never'),
    stdin: 'null' as const,
    kinds: ['deadlock' as const],
  })),
);

export const goInsideHealthy = family(
  'inside a living program',
  { label: 'healthy', actor: 'nobody' },
  pairs.map(({ beside, wait }) => ({
    name: `go-inside-${beside}-${wait}-resolved`,
    why: `one that waits for the time resolves it (${wait}), beside a ${beside}.`,
    run: run(beside, wait, '{eight-minutes}'),
    stdin: 'null' as const,
    kinds: ['timer' as const, 'service' as const, 'event' as const, 'lock' as const],
    goesOn: true,
  })),
);

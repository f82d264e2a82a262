import { family } from '../hang-case.js';

const run = (...args: string[]) => ['python3', '{hangs}/python-inside.py', ...args];

const nested = (when: string) => ['python3', '{hangs}/nested-locks.py', when];

const besides = ['ticker', 'listener', 'signal', 'pool'] as const;
const waits = ['locks', 'recursive', 'join', 'locks'] as const;
const pairs = besides.map((beside, index) => ({ beside, wait: waits[index % waits.length] ?? waits[0] }));

/** Threads of Python with locks and joins. */
export const pythonInsideStuck = family('inside a living program', { label: 'stuck', actor: 'its author' }, [
  ...pairs.map(({ beside, wait }) => ({
    name: `python-inside-${beside}-${wait}`,
    why: `two wait for each other (${wait}), beside a ${beside} that lives.`,
    run: run(beside, wait, 'never'),
    stdin: 'null' as const,
    kinds: ['deadlock' as const],
  })),
  {
    name: 'python-inside-nested-locks',
    why: 'two small functions nest two locks in opposite order, beside a ticker.',
    run: nested('never'),
    stdin: 'null',
    kinds: ['deadlock'],
  },
]);

export const pythonInsideHealthy = family('inside a living program', { label: 'healthy', actor: 'nobody' }, [
  ...pairs.map(({ beside, wait }) => ({
    name: `python-inside-${beside}-${wait}-resolved`,
    why: `one that waits for the time resolves it (${wait}), beside a ${beside}.`,
    run: run(beside, wait, '{eight-minutes}'),
    stdin: 'null' as const,
    kinds: ['timer' as const, 'service' as const, 'event' as const, 'lock' as const],
    goesOn: true,
  })),
  {
    name: 'python-inside-nested-locks-resolved',
    why: 'the ticker releases one of the two locks.',
    run: nested('{eight-minutes}'),
    stdin: 'null',
    kinds: ['timer'],
    goesOn: true,
  },
]);

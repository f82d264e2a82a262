import { family } from '../hang-case.js';

const python = (...args: string[]) => ['python3', '{hangs}/python-inside.py', ...args];
const java = (...args: string[]) => ['java', '-cp', '{bin}/java-inside', 'Main', ...args];
const go = (...args: string[]) => ['{bin}/go-inside', ...args];
const c = (...args: string[]) => ['{bin}/c-inside', ...args];
const node = (...args: string[]) => ['node', '{hangs}/node-inside.mjs', ...args];

const name = 'beside a thread that only ticks';

/** All threads that do something wait for each other; another wakes once a second and sleeps again. */
export const tickingStuck = family(
  name,
  { label: 'stuck', actor: 'its author' },
  [
    ['python-metrics-locks', 'a thread measures once a second', python('metrics', 'locks', 'never')],
    ['python-eventloop-recursive', 'an event loop has a timer', python('eventloop', 'recursive', 'never')],
    ['java-scheduled-locks', 'a scheduled task measures', java('scheduled', 'locks', 'never')],
    ['java-scheduled-monitors', 'a scheduled task measures', java('scheduled', 'monitors', 'never')],
    ['go-metrics-channels', 'a goroutine has a ticker', go('metrics', 'channels', 'never')],
    ['go-metrics-context', 'the context is never cancelled', go('metrics', 'context', 'never')],
    ['c-metrics-recursive', 'a thread has a timed wait', c('metrics', 'recursive', 'never')],
    ['node-all-atomics', 'main and its workers are in Atomics.wait', node('all', 'never')],
    ['node-child-deadlocked', 'main is in execFileSync of a deadlocked child', node('child', 'never')],
    ['node-ticking-child', 'as before, beside a worker with a timer', node('ticking', 'never')],
  ].map(([title, why, run]) => ({
    name: `${title as string}-ticking`,
    why: `its threads wait for each other: ${why as string}.`,
    run: run as string[],
    stdin: 'null' as const,
    kinds: ['deadlock' as const],
  })),
);

/** The same, but one of the threads gives up, is interrupted, or is let go in the end. */
export const tickingHealthy = family(
  name,
  { label: 'healthy', actor: 'nobody' },
  [
    ['python-metrics-locks', 'acquire(timeout=…) ends', python('metrics', 'locks', '{eight-minutes}')],
    [
      'python-eventloop-recursive',
      'acquire(timeout=…) ends',
      python('eventloop', 'recursive', '{eight-minutes}'),
    ],
    [
      'python-releaser-locks',
      'the ticking thread releases one',
      python('releaser', 'locks', '{eight-minutes}'),
    ],
    ['java-scheduled-locks', 'tryLock(timeout) ends', java('scheduled', 'locks', '{eight-minutes}')],
    [
      'java-interruptibly',
      'lockInterruptibly() is interrupted',
      java('scheduled', 'interruptibly', '{eight-minutes}'),
    ],
    [
      'go-metrics-channels',
      'a goroutine that sleeps resolves it',
      go('metrics', 'channels', '{eight-minutes}'),
    ],
    ['go-metrics-context', 'the context has a timeout', go('metrics', 'context', '{eight-minutes}')],
    ['c-metrics-condition', 'pthread_cond_timedwait ends', c('metrics', 'condition', '{eight-minutes}')],
    ['node-all-atomics', 'Atomics.wait has a timeout', node('all', '{eight-minutes}')],
    ['node-ticking-child', 'the child gives up', node('ticking', '{eight-minutes}')],
  ].map(([title, why, run]) => ({
    name: `${title as string}-ticking-resolved`,
    why: `it goes on by itself: ${why as string}.`,
    run: run as string[],
    stdin: 'null' as const,
    kinds: ['timer' as const, 'event' as const, 'lock' as const],
    goesOn: true,
  })),
);

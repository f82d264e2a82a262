import { family } from '../hang-case.js';

const java = (...args: string[]) => ['java', '-cp', '{bin}/java-pools', 'Main', ...args];

/** Pools whose workers wait for the next piece of work, and programs that ask again and again. */
export const idlePools = family('waits for the time', { label: 'healthy', actor: 'nobody' }, [
  {
    name: 'java-pool-idle',
    why: 'an executor has work once a minute.',
    run: java('idle', '{minute}000'),
    stdin: 'null',
    kinds: ['timer'],
  },
  {
    name: 'java-pool-late',
    why: 'main waits for a task of an executor that sleeps.',
    run: java('late', '{eight-minutes}'),
    stdin: 'null',
    kinds: ['timer'],
    goesOn: true,
  },
  {
    name: 'go-pool-idle',
    why: 'a pool of goroutines has work once a minute.',
    run: ['{bin}/go-pools', 'idle', '{minute}000'],
    stdin: 'null',
    kinds: ['timer'],
  },
  {
    name: 'python-thread-pool-idle',
    why: 'a pool of threads has work once a minute.',
    run: ['python3', '{hangs}/pools.py', 'threads', '{minute}000'],
    stdin: 'null',
    kinds: ['timer'],
  },
  {
    name: 'python-process-pool-idle',
    why: 'a pool of processes has work once a minute.',
    run: ['python3', '{hangs}/pools.py', 'processes', '{minute}000'],
    stdin: 'null',
    kinds: ['timer'],
  },
  {
    name: 'node-pool-idle',
    why: 'a pool of worker threads has work once a minute.',
    run: ['node', '{hangs}/worker-pool.mjs', 'idle', '{minute}000'],
    stdin: 'null',
    kinds: ['timer'],
  },
  {
    name: 'select-loop',
    why: 'a loop around select with a timeout and no descriptors, as old scripts sleep.',
    run: ['perl', '-e', 'select undef, undef, undef, 0.05 while 1'],
    stdin: 'null',
    kinds: ['timer'],
  },
  {
    name: 'epoll-loop',
    why: 'a loop around an epoll with a short timeout and a pipe of its own.',
    run: [
      'python3',
      '-c',
      'import os, select\nr, w = os.pipe()\ne = select.epoll()\ne.register(r)\nwhile True: e.poll(0.05)',
    ],
    stdin: 'null',
    kinds: ['timer'],
  },
  {
    name: 'poll-sleeping-child',
    why: 'a test runner asks every 50 ms whether its child has ended, and the child sleeps.',
    run: ['python3', '{hangs}/poll-child.py', 'sleep', '{eight-minutes-in-seconds}'],
    stdin: 'null',
    kinds: ['timer'],
    goesOn: true,
  },
  {
    name: 'thread-chain-grows',
    why: 'each thread starts the next and joins it, until the last one ends.',
    run: ['{bin}/joined-threads', '100', '{eight-minutes}'],
    stdin: 'null',
    kinds: ['timer', 'working'],
    goesOn: true,
  },
  {
    name: 'zombie-collected-late',
    why: 'the parent sleeps and collects its dead child then.',
    run: ['python3', '{hangs}/zombies.py', 'late', '{eight-minutes}'],
    stdin: 'null',
    kinds: ['timer'],
    goesOn: true,
  },
]);

export const poolDeadlocks = family('deadlock', { label: 'stuck', actor: 'its author' }, [
  {
    name: 'java-pool-waits-for-itself',
    why: 'the only thread of an executor waits for a task in its own queue.',
    run: java('self'),
    stdin: 'null',
    kinds: ['deadlock', 'asleep', 'event'],
  },
  {
    name: 'go-pool-unread-results',
    why: 'the workers want to hand over results, and main waits for the workers before it reads them.',
    run: ['{bin}/go-pools', 'unread'],
    stdin: 'null',
    kinds: ['deadlock', 'asleep'],
  },
  {
    name: 'node-pool-lost-answer',
    why: 'main waits for answers of workers that wait for messages.',
    run: ['node', '{hangs}/worker-pool.mjs', 'lost', '0'],
    stdin: 'null',
    kinds: ['deadlock', 'asleep', 'event'],
  },
  {
    name: 'python-deadlock-beside-ticker',
    why: 'two threads lock two locks in opposite order, and main waits for them; a third thread only counts the time.',
    run: ['python3', '{hangs}/pools.py', 'ticker', '100'],
    stdin: 'null',
    kinds: ['deadlock'],
  },
  {
    name: 'poll-deadlocked-child',
    why: 'a test runner asks every 50 ms whether its child has ended, and the child is deadlocked.',
    run: ['python3', '{hangs}/poll-child.py', '{bin}/mutex-relock'],
    stdin: 'null',
    kinds: ['deadlock', 'asleep'],
    names: 'mutex-relock',
  },
  {
    name: 'thread-chain-closed',
    why: 'main holds a mutex and joins a chain of threads, the last of which wants the mutex.',
    run: ['{bin}/joined-threads', '30', '{minute}000', 'closed'],
    stdin: 'null',
    kinds: ['deadlock'],
  },
  {
    name: 'zombie-polled',
    why: 'the parent waits until the pid of its dead child is gone, and does not collect it.',
    run: ['python3', '{hangs}/zombies.py', 'polled'],
    stdin: 'null',
    kinds: ['zombie'],
  },
]);

import { family } from '../hang-case.js';

/** Silent, and hard at work. An endless loop cannot be distinguished from useful work by looking: `spinning` is no alarm. */
export const computing = family('computes in silence', { label: 'healthy', actor: 'nobody', busy: true }, [
  ['compute', { quick: true }],
  'compute-threads',
  'python-busy-child',
  'node-busy',
  'node-worker-busy',
  'mutex-contention',
  'computing-producer',
  'disk-writer',
  'sha256-zeros',
  'yes-into-gzip',
  'shell-fork-loop',
  {
    name: 'bc-pi',
    why: 'bc computes digits of pi.',
    run: ['sh', '-c', "echo 'scale=20000; 4*a(1)' | bc -l >/dev/null"],
    needs: ['bc'],
    stdin: 'null',
    kinds: ['working', 'spinning'],
  },
  {
    name: 'sqlite-query',
    why: 'a query over a hundred million rows, from a statement on the command line.',
    run: [
      'sqlite3',
      ':memory:',
      'with recursive n(i) as (select 1 union all select i+1 from n where i < 1e9) select sum(i) from n',
    ],
    stdin: 'null',
    kinds: ['working', 'spinning'],
  },
  {
    name: 'starved-beside-hog',
    why: 'two processes on one CPU, one of them hardly ever gets it.',
    run: ['{bin}/starve'],
    stdin: 'null',
    kinds: ['working', 'spinning', 'starved'],
  },
  {
    name: 'starved-alone-in-run',
    why: 'the command hardly ever gets a CPU, as a hog outside has all of it: slow, not stuck.',
    run: ['taskset', '-c', '0', 'chrt', '-i', '0', '{bin}/burn', 'compute'],
    outside: ['sh', '-c', 'echo 0; exec taskset -c 0 "$0" compute', '{bin}/burn'],
    needs: ['taskset', 'chrt'],
    stdin: 'null',
    kinds: ['starved', 'working', 'spinning'],
  },
]);

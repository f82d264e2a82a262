import { family } from '../hang-case.js';

export const stoppedJobs = family('stopped', { label: 'stuck', actor: 'whoever stopped it' }, [
  ['stopped-by-sigstop', { quick: true }],
  'stopped-by-sigtstp',
  'stopped-root',
  'background-tty-read',
  'background-tty-settings',
  'stopped-producer',
  'frozen-v1',
  'frozen-v2',
]);

export const unreaped = family('ended, and yet not over', { label: 'stuck', actor: 'its author' }, [
  {
    name: 'zombie-nobody-reaps',
    why: 'the child is dead, its parent waits for a signal that never comes and does not collect it.',
    run: ['python3', '{hangs}/zombie.py'],
    stdin: 'null',
    kinds: ['zombie', 'asleep', 'event'],
  },
  {
    name: 'output-held-open',
    why: 'the command has ended, but what it left running holds its output open: whoever reads to the end waits for ever.',
    run: ['sh', '-c', 'sleep 1000 & exit 0'],
    stdin: 'null',
    kinds: ['lingering'],
    names: 'sleep',
    ends: true,
    quick: true,
  },
]);

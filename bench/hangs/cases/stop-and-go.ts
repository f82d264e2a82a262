import { family } from '../hang-case.js';

/** Stopped often, and continued each time. */
export const continuedAgain = family('stopped and continued', { label: 'healthy', actor: 'nobody' }, [
  {
    name: 'cpulimit',
    why: 'cpulimit stops and continues the program many times a second.',
    run: ['cpulimit', '-f', '-q', '-l', '20', '--', 'sha256sum', '/dev/zero'],
    needs: ['sha256sum'],
    stdin: 'null',
    kinds: ['working', 'spinning', 'timer'],
    busy: true,
  },
  {
    name: 'stop-and-continue-loop',
    why: 'a script stops the program for a minute and lets it run for ten seconds, again and again.',
    run: [
      'sh',
      '-c',
      'sha256sum /dev/zero & while :; do kill -STOP $!; sleep {minute}; kill -CONT $!; sleep 0.3; done',
    ],
    needs: ['sha256sum'],
    stdin: 'null',
    kinds: ['working', 'spinning', 'timer'],
    busy: true,
  },
  {
    name: 'gdb-takes-stacks',
    why: 'gdb attaches to the program every few seconds, prints its stack and lets it go on.',
    run: [
      'sh',
      '-c',
      'sleep 1000 & while sleep 0.2; do gdb -p $! -batch -nx -ex bt >/dev/null 2>&1 || exit 1; done',
    ],
    needs: ['gdb'],
    stdin: 'null',
    kinds: ['working', 'spinning', 'timer'],
    busy: true,
  },
  {
    name: 'sibling-continues-later',
    why: 'a program stops itself, and a process beside it sleeps for eight minutes and continues it.',
    run: [
      'sh',
      '-c',
      `sh -c 'kill -STOP $$' & P=$!; (sleep {eight-minutes-in-seconds}; kill -CONT $P) & wait $P`,
    ],
    stdin: 'null',
    kinds: ['stopped', 'timer'],
    goesOn: true,
  },
  {
    name: 'strace-follows',
    why: 'strace stops and continues a shell and its children at each call.',
    run: ['strace', '-f', '-o', '/dev/null', 'sh', '-c', 'while :; do sleep 0.2; done'],
    stdin: 'null',
    kinds: ['working', 'timer'],
  },
]);

export const stoppedForGood = family('stopped', { label: 'stuck', actor: 'whoever stopped it' }, [
  {
    name: 'cpulimit-killed',
    why: 'cpulimit was killed while its program was stopped: nothing continues it.',
    run: ['sh', '{hangs}/cpulimit-killed.sh', 'sha256sum', '/dev/zero'],
    needs: ['cpulimit', 'sha256sum'],
    stdin: 'null',
    kinds: ['stopped'],
    names: 'sha256sum',
  },
  {
    name: 'stopped-and-polled',
    why: 'a script waits for the end of a program that it has stopped, and asks twice a second.',
    run: ['sh', '-c', 'sleep 1000 & sleep 0.5; kill -STOP $!; while kill -0 $!; do sleep 0.5; done'],
    stdin: 'null',
    kinds: ['stopped'],
    names: 'sleep',
  },
]);

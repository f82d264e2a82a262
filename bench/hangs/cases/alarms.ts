import { family } from '../hang-case.js';

/** A child reads a pipe that its parent keeps open, and the parent waits for the child. */
const readsOwnPipe = (alarm: string) => [
  'perl',
  '-e',
  `pipe R, W; unless (fork) { ${alarm} open STDIN, "<&R"; exec "cat" } wait; print "going on\\n"`,
];

/** The alarm ends a program that would sleep for ever, and its parent goes on. An alarm survives exec. */
export const alarms = family('waits for the time', { label: 'healthy', actor: 'nobody' }, [
  {
    name: 'alarm-ends-sleep',
    why: 'the shell goes on when the alarm kills the sleep.',
    run: [
      'sh',
      '-c',
      `perl -e 'alarm {eight-minutes-in-seconds}; exec "sleep", "infinity"' || echo going on`,
    ],
    needs: ['perl'],
    stdin: 'null',
    kinds: ['timer', 'event'],
    goesOn: true,
  },
  {
    name: 'alarm-ends-pipe-reader',
    why: 'the child reads a pipe that its parent holds, and the parent goes on when the alarm kills the child.',
    run: readsOwnPipe('alarm {eight-minutes-in-seconds};'),
    stdin: 'null',
    kinds: ['timer', 'event'],
    goesOn: true,
  },
  {
    name: 'alarm-ends-reader',
    why: 'the shell goes on when the alarm kills the program that reads its input.',
    run: ['sh', '-c', `perl -e 'alarm {eight-minutes-in-seconds}; exec "cat"' || echo going on`],
    needs: ['perl'],
    stdin: 'pipe',
    kinds: ['timer', 'event', 'needs-input'],
    goesOn: true,
  },
]);

export const cancelledAlarms = family('deadlock', { label: 'stuck', actor: 'its author' }, [
  {
    name: 'alarm-cancelled-pipe-reader',
    why: 'as alarm-ends-pipe-reader, but the alarm was cancelled: each of both waits for the other.',
    run: readsOwnPipe('alarm 60; alarm 0;'),
    stdin: 'null',
    kinds: ['deadlock'],
  },
  {
    name: 'alarm-ignored-pipe-reader',
    why: 'as alarm-ends-pipe-reader, but the child ignores the signal of its alarm.',
    run: readsOwnPipe('$SIG{ALRM} = "IGNORE"; alarm 60;'),
    stdin: 'null',
    kinds: ['deadlock'],
  },
]);

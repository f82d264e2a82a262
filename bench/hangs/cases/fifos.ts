import { family } from '../hang-case.js';

export const fifosThatGoOn = family('waits for the time', { label: 'healthy', actor: 'nobody' }, [
  {
    name: 'fifo-late-reader',
    why: 'the writer waits for a reader, which a sleeping subshell becomes later.',
    run: ['sh', '-c', 'mkfifo fifo; (sleep {eight-minutes-in-seconds}; cat fifo) & echo hi >fifo; wait'],
    stdin: 'null',
    kinds: ['timer', 'event'],
    goesOn: true,
  },
  {
    name: 'fifo-read-timeouts',
    why: 'bash reads a FIFO with a timeout of six seconds, again and again.',
    run: ['bash', '-c', 'mkfifo fifo; exec 3<>fifo; while :; do read -r -t 0.2 -u 3 line; done'],
    stdin: 'null',
    kinds: ['timer'],
  },
]);

export const fifosAlone = family('pipe', { label: 'stuck', actor: 'its author' }, [
  {
    name: 'fifo-no-reader',
    why: 'a shell opens a FIFO for writing, and no process reads it.',
    run: ['sh', '-c', 'mkfifo fifo; echo hi >fifo; true'],
    stdin: 'null',
    kinds: ['event'],
  },
  {
    name: 'fifos-opened-crosswise',
    why: 'two shells have agreed on two FIFOs, and each opens the one that the other opens second.',
    run: ['sh', '-c', 'mkfifo a b; (exec 3>a 4<b) & exec 4>b 3<a; wait'],
    stdin: 'null',
    kinds: ['deadlock', 'event'],
  },
]);

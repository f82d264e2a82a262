import { family } from '../hang-case.js';

/** A copy of a tool that may be run, not read; see programs/unreadable.sh. */
const unreadable = (...argv: string[]) => ['sh', '{hangs}/unreadable.sh', ...argv];

/**
 * Whoever keeps keys hides from its own user what it does, and so does a program with more rights than its user, or one
 * that may be run but not read. Root sees all of them; what a normal user cannot see must not become an alarm.
 */
export const hiddenAtRest = family('hides itself, all is well', { label: 'healthy', actor: 'nobody' }, [
  'ssh-agent',
  {
    name: 'gpg-agent-idle',
    why: 'gpg-agent waits for clients of its socket.',
    run: ['python3', '{hangs}/gpg-agent.py'],
    needs: ['gpg-agent'],
    stdin: 'null',
    kinds: ['service', 'timer'],
  },
  {
    name: 'hidden-server',
    why: 'a server in accept that has made itself invisible (PR_SET_DUMPABLE).',
    run: ['{bin}/hidden', 'serve'],
    stdin: 'null',
    kinds: ['service'],
  },
  {
    name: 'unreadable-sleep',
    why: 'a sleep whose executable may not be read.',
    run: unreadable('sleep', '1000'),
    stdin: 'null',
    kinds: ['timer'],
  },
  {
    name: 'unreadable-sleep-below-shell',
    why: 'a shell waits for it.',
    run: ['sh', '-c', 'sh {hangs}/unreadable.sh sleep 1000; true'],
    stdin: 'null',
    kinds: ['timer'],
  },
  {
    name: 'unreadable-sleep-into-cat',
    why: 'cat reads a pipe, and who holds its other end cannot be seen.',
    run: ['sh', '-c', 'sh {hangs}/unreadable.sh sleep 1000 | cat'],
    stdin: 'null',
    kinds: ['timer'],
  },
  {
    name: 'unreadable-tail',
    why: 'tail -f on a file that nobody writes.',
    run: ['sh', '-c', 'echo x > log; exec sh {hangs}/unreadable.sh tail -f log'],
    stdin: 'null',
    kinds: ['service'],
  },
  {
    name: 'unreadable-compute',
    why: 'it computes in silence.',
    run: unreadable('sha256sum', '/dev/zero'),
    stdin: 'null',
    kinds: ['working', 'spinning'],
    busy: true,
  },
  {
    name: 'unreadable-download',
    why: 'a download at 20 bytes a second.',
    run: unreadable('curl', '-s', '-o', 'file', 'http://127.0.0.1:{port}/'),
    outside: ['node', '{hangs}/server.mjs', 'throttled', '{second}'],
    needs: ['curl'],
    stdin: 'null',
    kinds: ['working', 'network'],
  },
]);

export const hiddenAndStuck = family(
  'hides itself, and is stuck',
  { label: 'stuck', actor: 'whoever may type', stdin: 'pty', kinds: ['needs-input'] },
  [
    {
      name: 'hidden-password',
      why: 'it has made itself invisible and asks for a passphrase, with the echo off.',
      run: ['{bin}/hidden', 'ask'],
      stdin: 'pty',
      kinds: ['needs-input'],
      names: 'hidden',
    },
    {
      name: 'passwd-own',
      why: 'passwd, with the rights of root, asks a user for the old password.',
      run: ['sh', '{programs}/as-nobody.sh', 'passwd'],
      needs: ['passwd', 'setpriv'],
      stdin: 'pty',
      kinds: ['needs-input'],
      names: 'passwd',
    },
    {
      name: 'newgrp-password',
      why: 'newgrp, with the rights of root, asks a user for the password of a group.',
      run: ['sh', '{programs}/as-nobody.sh', 'newgrp', 'daemon'],
      needs: ['newgrp', 'setpriv'],
      stdin: 'pty',
      kinds: ['needs-input'],
      names: 'newgrp',
    },
    {
      name: 'unreadable-cat',
      why: 'cat reads the terminal, without a prompt.',
      run: unreadable('cat'),
      stdin: 'pty',
      kinds: ['needs-input'],
    },
    {
      name: 'unreadable-less',
      why: 'a pager waits for a key.',
      run: unreadable('less', '{programs}/in-pty.c'),
      needs: ['less'],
      stdin: 'pty',
      kinds: ['needs-input'],
    },
    {
      name: 'gpg-pinentry',
      why: 'gpg waits for its agent, the agent for pinentry, and that for a passphrase on the terminal.',
      run: ['sh', '-c', 'echo x > plain; chmod 700 .; GPG_TTY=$(tty) exec gpg --homedir . -c plain'],
      needs: ['gpg', 'pinentry-curses'],
      stdin: 'pty',
      kinds: ['needs-input'],
    },
    {
      name: 'unreadable-stopped',
      why: 'a shell has stopped itself.',
      run: unreadable('dash', '-c', 'kill -STOP $$; true'),
      needs: ['dash'],
      stdin: 'null',
      kinds: ['stopped'],
      actor: 'whoever stopped it',
    },
    {
      name: 'unreadable-holds-output',
      why: 'the command has ended, but a sleep that it left running holds its output open.',
      run: ['sh', '-c', 'sh {hangs}/unreadable.sh sleep 1000 & sleep 0.5; exit 0'],
      stdin: 'null',
      kinds: ['lingering'],
      names: 'sleep',
      actor: 'its author',
      ends: true,
    },
    {
      name: 'unreadable-cat-pipe',
      why: 'cat reads a pipe that nobody writes to.',
      run: unreadable('cat'),
      stdin: 'pipe',
      kinds: ['needs-input'],
    },
  ],
);

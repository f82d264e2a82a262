import { family } from '../hang-case.js';

const unstuck = '{root}/unstuck';

/** What a call seems to wait for is not what it waits for: a supervisor or Unstuck itself is in between. */
export const relaysThatGoOn = family('waits for the time', { label: 'healthy', actor: 'nobody' }, [
  {
    name: 'seccomp-late-answer',
    why: 'a supervisor holds the read of its child and answers it with an end of file later.',
    run: ['{bin}/held-read', '{eight-minutes}'],
    stdin: 'pipe',
    kinds: ['timer', 'event'],
    goesOn: true,
  },
  {
    name: 'run-fed-late',
    why: 'what feeds the inner run sleeps, and then writes the line that its command reads.',
    run: [
      'sh',
      '-c',
      `(sleep {eight-minutes-in-seconds}; echo hello) | ${unstuck} run --stdin pipe -- sh -c 'read x'`,
    ],
    needs: ['node'],
    stdin: 'null',
    kinds: ['timer'],
    goesOn: true,
  },
  {
    name: 'run-in-run-sleep',
    why: 'a run inside a run has a command that sleeps.',
    run: [unstuck, 'run', '--', unstuck, 'run', '--', 'sleep', '{eight-minutes-in-seconds}'],
    needs: ['node'],
    stdin: 'null',
    kinds: ['timer'],
    goesOn: true,
  },
  {
    name: 'attach-sleeping-run',
    why: 'the terminal is attached to a run in the background that sleeps, and ends with it.',
    run: [
      'sh',
      '-c',
      `id=$(${unstuck} start --stdin -- sleep {eight-minutes-in-seconds}) && exec ${unstuck} attach "$id"`,
    ],
    needs: ['node'],
    stdin: 'pty',
    kinds: ['timer', 'service', 'network', 'event'],
    goesOn: true,
  },
  {
    name: 'wait-sleeping-run',
    why: 'a client waits for the end of a run in the background that sleeps.',
    run: [
      'sh',
      '-c',
      `id=$(${unstuck} start -- sleep {eight-minutes-in-seconds}) && exec ${unstuck} wait --until exit "$id"`,
    ],
    needs: ['node'],
    stdin: 'null',
    kinds: ['timer', 'service', 'network', 'event'],
    goesOn: true,
  },
  {
    name: 'run-pty-fed-late',
    why: 'as run-fed-late, but the inner run has a terminal.',
    run: [
      'sh',
      '-c',
      `(sleep {eight-minutes-in-seconds}; echo hello) | ${unstuck} run --pty --stdin pipe -- sh -c 'read x'`,
    ],
    needs: ['node'],
    stdin: 'null',
    kinds: ['timer'],
    goesOn: true,
  },
]);

export const relaysThatHang = family('deadlock', { label: 'stuck', actor: 'its author' }, [
  {
    name: 'seccomp-never-answered',
    why: 'a supervisor waits for the end of the child whose read it holds.',
    run: ['{bin}/held-read', 'never'],
    stdin: 'pipe',
    kinds: ['deadlock', 'asleep', 'event'],
  },
  {
    name: 'run-in-run-deadlock',
    why: 'the command of a run inside a run locks a mutex twice.',
    run: [unstuck, 'run', '--', unstuck, 'run', '--', '{bin}/mutex-relock'],
    needs: ['node'],
    stdin: 'null',
    kinds: ['deadlock', 'asleep'],
    names: 'mutex-relock',
  },
  {
    name: 'wait-asleep-run',
    why: 'a client waits for the end of a run in the background that nothing wakes.',
    run: ['sh', '-c', `id=$(${unstuck} start -- sleep infinity) && exec ${unstuck} wait --until exit "$id"`],
    needs: ['node'],
    stdin: 'null',
    kinds: ['asleep', 'event'],
    names: 'sleep',
  },
]);

export const relayedPrompts = family('prompt on a pipe', { label: 'stuck', actor: 'whoever may type' }, [
  {
    name: 'run-fed-never',
    why: 'the inner run passes its stdin on to a command that reads, and nothing is written to it.',
    run: [unstuck, 'run', '--stdin', 'pipe', '--', 'sh', '-c', 'read x'],
    needs: ['node'],
    stdin: 'pipe',
    kinds: ['needs-input'],
  },
  {
    name: 'run-pty-fed-never',
    why: 'as run-fed-never, but the inner run has a terminal.',
    run: [unstuck, 'run', '--pty', '--stdin', 'pipe', '--', 'sh', '-c', 'read x'],
    needs: ['node'],
    stdin: 'pipe',
    kinds: ['needs-input'],
  },
  {
    name: 'attach-prompt',
    why: 'the terminal is attached to a run in the background that reads its input.',
    run: ['sh', '-c', `id=$(${unstuck} start --stdin -- sh -c 'read x') && exec ${unstuck} attach "$id"`],
    needs: ['node'],
    stdin: 'pty',
    kinds: ['needs-input'],
  },
]);

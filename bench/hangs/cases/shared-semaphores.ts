import { family } from '../hang-case.js';

const ownNamespace = 'an IPC namespace of its own';

/** Another process posts the semaphore later. */
export const latePosts = family('waits for the time', { label: 'healthy', actor: 'nobody' }, [
  {
    name: 'named-semaphore-late',
    why: 'a process of the same tree opens the semaphore by its name later, and posts it.',
    run: ['{bin}/semaphores', 'late', '{eight-minutes}'],
    stdin: 'null',
    kinds: ['timer', 'event'],
    goesOn: true,
  },
  {
    name: 'linked-semaphore-late',
    why: 'the semaphore is in a file that was named by link(); a process outside has it mapped and posts it later.',
    run: ['{bin}/semaphores', 'linked'],
    outside: ['{bin}/semaphores', 'post', '{eight-minutes}'],
    stdin: 'null',
    kinds: ['timer', 'event'],
    goesOn: true,
  },
  {
    name: 'sysv-semaphore-late',
    why: 'a child sleeps and raises the System V semaphore then.',
    run: ['{bin}/semaphores', 'sysv-late', '{eight-minutes}'],
    rootOnly: ownNamespace,
    stdin: 'null',
    kinds: ['timer', 'event'],
    goesOn: true,
  },
]);

export const neverPosted = family('nothing wakes it', { label: 'stuck', actor: 'its author' }, [
  {
    name: 'unlinked-semaphore-never',
    why: 'the name of the semaphore is gone, and no other process has it.',
    run: ['{bin}/semaphores', 'unlinked'],
    stdin: 'null',
    kinds: ['asleep', 'deadlock', 'event'],
  },
  {
    name: 'sysv-semaphore-never',
    why: 'the System V semaphore has no key, and no process is left that knows its number.',
    run: ['{bin}/semaphores', 'sysv-never'],
    rootOnly: ownNamespace,
    stdin: 'null',
    kinds: ['event', 'asleep', 'deadlock'],
  },
]);

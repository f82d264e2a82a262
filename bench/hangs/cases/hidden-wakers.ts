import { family } from '../hang-case.js';

/** Closed sets, each beside what could open it where nothing can be seen at first. */
export const closedForGood = family('hidden wakers', { label: 'stuck', actor: 'its author' }, [
  'ofd-ab-ba',
  'tcp-full',
  'ruby-popen-full',
  'java-lock-leaked',
  ['go-kept-alive-lock', { kinds: ['deadlock'] }],
  {
    name: 'ruby-own-pipe',
    why: 'a Ruby program reads a pipe that only it could write to.',
    run: ['ruby', '-e', 'r, w = IO.pipe; r.read'],
    stdin: 'null',
    kinds: ['asleep', 'deadlock'],
  },
]);

export const openedByOthers = family('hidden wakers', { label: 'healthy', actor: 'nobody' }, [
  'flock-ab-ba-released',
  'tcp-full-timed',
  'alarm-handled',
  'popen-closing',
  'ruby-popen-timed',
  'stopped-child-of-sleeper',
  'mounts-watch',
  'go-kept-alive-channel',
  'go-kept-alive-group',
  'go-kept-alive-first',
  {
    name: 'ring-kept-in-tree',
    why: 'an io_uring keeps the writing end of a pipe open, and its process will write.',
    run: ['{bin}/ring-holder', 'kept'],
    stdin: 'null',
    kinds: ['timer', 'event'],
  },
  {
    name: 'perl-alarm-dies',
    why: 'its own alarm ends the wait for a pipe that only it could write to.',
    run: ['perl', '-e', 'pipe R, W; $SIG{ALRM} = sub { exit }; alarm {eight-minutes-in-seconds}; <R>'],
    stdin: 'null',
    kinds: ['timer', 'deadlock', 'event'],
    goesOn: true,
  },
]);

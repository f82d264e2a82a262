import { family, withLibrary } from '../hang-case.js';
import { netty, nettyJars } from './servers.js';

const pythonModules = '/usr/lib/python3/dist-packages';

const python = (...args: string[]) => ['python3', '{hangs}/event-loops.py', ...args];

export const loopsWithTimers = family('waits for the time', { label: 'healthy', actor: 'nobody' }, [
  {
    name: 'glib-timer',
    why: 'the main loop of GLib has a timer that fires once a minute.',
    run: python('glib', '{minute}000'),
    needs: [`${pythonModules}/gi`],
    stdin: 'null',
    kinds: ['timer'],
  },
  {
    name: 'libev-timer',
    why: 'the loop of libev has a timer that fires once a minute.',
    run: withLibrary('libev', 'ev', 'timer', '{minute}000'),
    needs: ['gcc', '/usr/include/ev.h'],
    stdin: 'null',
    kinds: ['timer'],
  },
  {
    name: 'gevent-sleep',
    why: 'a greenlet of gevent sleeps, and the main one waits for it.',
    run: python('gevent-late', '{eight-minutes}'),
    needs: [`${pythonModules}/gevent`],
    stdin: 'null',
    kinds: ['timer'],
    goesOn: true,
  },
  {
    name: 'erlang-sleep',
    why: 'an Erlang process sleeps in the virtual machine, whose threads wait for work.',
    run: ['erl', '-noinput', '-eval', 'timer:sleep({eight-minutes}), halt(0).'],
    stdin: 'null',
    kinds: ['timer'],
    goesOn: true,
  },
  {
    name: 'netty-late-promise',
    why: 'main waits for a promise that the event loop of Netty completes later.',
    run: netty('late', '{eight-minutes}'),
    needs: ['javac', ...nettyJars],
    stdin: 'null',
    kinds: ['timer', 'working'],
    goesOn: true,
  },
]);

/** The loop has nothing to wait for but a result that no code will give. */
export const loopsWithNothing = family('nothing wakes it', { label: 'stuck', actor: 'its author' }, [
  ...(['twisted', 'tornado'] as const).map((library) => ({
    name: `${library}-never`,
    why: `the loop of ${library} waits for a result that no code gives.`,
    run: python(`${library}-never`),
    needs: [`${pythonModules}/${library}`],
    stdin: 'null' as const,
    kinds: ['asleep' as const, 'event' as const],
  })),
  {
    name: 'glib-loop-empty',
    why: 'the main loop of GLib has no sources left, and no code quits it.',
    run: python('glib-never'),
    needs: [`${pythonModules}/gi`],
    stdin: 'null',
    kinds: ['asleep', 'event'],
  },
  {
    name: 'libevent-own-pipe',
    why: 'the only event is a pipe whose other end the same thread holds.',
    run: withLibrary('libevent', 'event', 'pipe'),
    needs: ['gcc', '/usr/include/event2/event.h'],
    stdin: 'null',
    kinds: ['asleep', 'deadlock', 'event'],
  },
  {
    name: 'libev-async-never',
    why: 'the only watcher is an ev_async that only another thread could send, and there is no other.',
    run: withLibrary('libev', 'ev', 'async'),
    needs: ['gcc', '/usr/include/ev.h'],
    stdin: 'null',
    kinds: ['asleep', 'deadlock', 'event'],
  },
  {
    name: 'erlang-receive-never',
    why: 'the only process that has work waits for a message that no process sends.',
    run: ['erl', '-noinput', '-eval', 'receive never -> ok end, halt(0).'],
    stdin: 'null',
    kinds: ['asleep', 'deadlock', 'event'],
  },
  {
    name: 'netty-promise-never',
    why: 'main waits for a promise, and the event loop has nothing that would complete it.',
    run: netty('never'),
    needs: ['javac', ...nettyJars],
    stdin: 'null',
    kinds: ['asleep', 'deadlock', 'event'],
  },
]);

import { once } from 'node:events';
import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { supervise } from '../../../src/control/watchdog/supervise-child.js';
import { type WatchOptions, type WatchTarget, watch } from '../../../src/control/watchdog/watch.js';
import { type Watchdog, type WatchdogEvent, WatchdogTimeoutError } from '../../../src/model/watchdog.js';
import { isAlive, until } from '../../run/stop/start-run.js';
import { patienceMs } from '../../support/patience.js';
import { startChild, startReady, startSleepers } from '../../watchdog/start-child.js';

const quick = { pollIntervalMs: 20, idleTimeoutMs: 150, graceMs: patienceMs };
/** Where the test has to be heard in time: on a busy machine it may not run for a second. */
const unhurried = { idleTimeoutMs: 3_000 };

async function timeoutOf(watchdog: Watchdog): Promise<WatchdogTimeoutError> {
  const error = await watchdog.done.catch((reason: unknown) => reason);
  if (error instanceof WatchdogTimeoutError) return error;
  throw new Error(`no timeout: ${error}`);
}

describe.concurrent('a process that is silent for too long', () => {
  it('is asked to end with all that it started, and the caller gets an error', async () => {
    const { child, line } = await startReady('sleep 1000 & echo $!; wait');
    const error = await timeoutOf(watch(child.pid, { ...quick, label: 'builder' }));
    expect(error).toMatchObject({
      pid: child.pid,
      label: 'builder',
      signal: 'SIGTERM',
      isGone: true,
      verdict: null,
    });
    expect(error.idleMs).toBeGreaterThanOrEqual(quick.idleTimeoutMs);
    expect(error.message).toMatch(
      /^builder \(process \d+\): no activity for \d+ ms; it was ended with SIGTERM$/,
    );
    expect(error.receipt?.survivors).toEqual([]);
    expect(error.receipt?.processes.map(({ pid }) => pid)).toEqual([child.pid, Number(line)]);
  });

  it('is killed after the grace when it ignores SIGTERM', async () => {
    const { child, who } = await startReady(`trap '' TERM; echo deaf; sleep 1000; sleep 1000`);
    const error = await timeoutOf(watch(child, { ...quick, graceMs: 100 }));
    expect(error).toMatchObject({ signal: 'SIGKILL', isGone: true });
    expect(isAlive(who)).toBe(false);
  });

  it('activity in time keeps it alive', async () => {
    const { child } = await startReady('echo begin; exec cat');
    const watchdog = watch(child, { ...quick, ...unhurried });
    const heard = setInterval(() => watchdog.activity(), 20);
    await delay(unhurried.idleTimeoutMs * 1.2);
    clearInterval(heard);
    child.stdin.end();
    expect(await watchdog.done).toBe('exited');
  });

  it('is ended by the terminate function of the caller, where given', async () => {
    const { child } = await startReady('echo begin; exec cat');
    const error = await timeoutOf(watch(child, { ...quick, terminate: () => child.stdin.end() }));
    expect(error).toMatchObject({ signal: null, isGone: true });
    expect([child.exitCode, child.signalCode]).toEqual([0, null]);
  });

  it('is killed when terminate does not help, and gets SIGTERM when terminate fails', async () => {
    const first = (await startReady('echo begin; exec cat')).child;
    const useless = timeoutOf(
      watch(first, { ...quick, graceMs: 50, terminate: () => new Promise(() => {}) }),
    );
    const second = (await startReady('echo begin; exec cat')).child;
    const trouble = new Error('the transport is broken');
    const failing = timeoutOf(watch(second, { ...quick, terminate: () => Promise.reject(trouble) }));
    expect(await useless).toMatchObject({ signal: 'SIGKILL', isGone: true });
    expect(await failing).toMatchObject({ signal: 'SIGTERM', isGone: true, cause: trouble });
  });
});

describe.concurrent('with a judge', () => {
  it('a process that waits for input that never comes is ended, with the verdict', async () => {
    const { child } = await startReady('echo begin; exec cat');
    const error = await timeoutOf(watch(child, { ...quick, judge: true, maxIdleMs: 60_000 }));
    expect(error.verdict).toMatchObject({ kind: 'needs-input' });
    expect(error.message).toContain('needs input');
  });

  it('a process that goes on by itself stays, and the reason is reported once', async () => {
    const { child, who } = await startReady('echo begin; exec sleep 1000');
    const nameOf = () => fs.readFileSync(`/proc/${child.pid}/comm`, 'utf8').trim();
    await until(() => nameOf() === 'sleep', 'it is no shell any more');
    const events: WatchdogEvent[] = [];
    const options = { ...quick, judge: true, maxIdleMs: 60_000 };
    const watchdog = watch(child, { ...options, onEvent: (event) => events.push(event) });
    const held = () =>
      events.flatMap((event) => (event.kind === 'watchdog.held' ? [event.verdict?.kind] : []));
    await until(() => held().includes('timer'), 'it is held');
    // Time for a second report, which must not come.
    await delay(quick.idleTimeoutMs * 3);
    expect(isAlive(who)).toBe(true);
    child.kill('SIGKILL');
    expect(await watchdog.done).toBe('exited');
    // On a busy machine it may be seen working.
    expect(held().filter((kind) => kind !== 'working')).toEqual(['timer']);
  });
});

describe.concurrent('with a judge and a ceiling', () => {
  /** The first that is longer than it takes to judge the program once: a busy machine takes its time. */
  const ceilingsMs = [3_000, 12_000, 48_000];
  const ticks = `exec node -e "setInterval(() => {}, 20); console.log('begin')"`;
  const silentPeer = `exec node -e "
    const { createServer, connect } = require('node:net');
    const server = createServer(() => {}).listen(0, '127.0.0.1', () => {
      connect(server.address().port, '127.0.0.1', () => console.log('begin')).resume();
    });"`;

  it.each([
    ['only ticks', ticks],
    ['has a silent connection', silentPeer],
  ])('a program that %s is ended at the ceiling', async (_, script) => {
    for (const maxIdleMs of ceilingsMs) {
      const { child, who } = await startReady(script);
      const events: WatchdogEvent[] = [];
      const onEvent = (event: WatchdogEvent) => events.push(event);
      const error = await timeoutOf(watch(child, { ...quick, judge: true, maxIdleMs, onEvent }));
      expect(error).toMatchObject({ because: 'ceiling', signal: 'SIGTERM', isGone: true });
      expect(error.idleMs).toBeGreaterThanOrEqual(maxIdleMs);
      expect(isAlive(who)).toBe(false);
      expect(events[0]).toMatchObject({ maxIdleMs });
      if (events.findIndex(({ kind }) => kind === 'watchdog.held') > 0) return;
    }
    expect.fail('it was not judged before any of the ceilings');
  });

  it('the default ceiling is 10 idle timeouts; it can be switched off, and not be below the idle timeout', () => {
    const { pid } = startChild('exec sleep 1000');
    const ceilingOf = (options: WatchOptions) => {
      const events: WatchdogEvent[] = [];
      watch(pid, { idleTimeoutMs: 5000, ...options, onEvent: (event) => events.push(event) }).stop();
      return events[0]?.kind === 'watchdog.started' ? events[0].maxIdleMs : undefined;
    };
    expect(ceilingOf({ judge: true })).toBe(50_000);
    expect(ceilingOf({ judge: true, maxIdleMs: 0 })).toBeNull();
    expect(ceilingOf({ judge: true, maxIdleMs: Number.POSITIVE_INFINITY })).toBeNull();
    expect(ceilingOf({ judge: false })).toBeNull();
    expect(() => ceilingOf({ maxIdleMs: 4999 })).toThrow(
      /maxIdleMs is 4999.*at least idleTimeoutMs \(5000\)/,
    );
  });
});

describe.concurrent('what is already over', () => {
  it('watching a process that has ended is no error', async () => {
    const child = startChild('exit 0');
    await once(child, 'exit');
    expect(await watch(child.pid, quick).done).toBe('exited');
    expect(await watch(child, quick).done).toBe('exited');
    expect(watch(child, quick).state).toEqual({ phase: 'ended', outcome: { kind: 'exited' } });
  });

  it('a zombie has ended, at once', async () => {
    // The shell becomes a program that never asks what became of its child.
    const { line } = await startReady('sleep 1000 & echo $!; exec sleep 1000');
    const watchdog = watch(Number(line), { pollIntervalMs: 20, idleTimeoutMs: 60_000 });
    expect(watchdog.state.phase).toBe('watching');
    process.kill(Number(line));
    expect(await watchdog.done).toBe('exited');
    const again = watch(Number(line), quick);
    expect(again.state.phase).toBe('ended');
  });

  it('a child that could not be started', async () => {
    const { spawn } = await import('node:child_process');
    const child = spawn('/does/not/exist');
    child.on('error', () => {});
    expect(await watch(child, quick).done).toBe('exited');
  });
});

describe.concurrent('without a process', () => {
  it('only activity counts, and terminate is called once', async () => {
    let calls = 0;
    const watchdog = watch({ terminate: () => (calls += 1) }, { ...quick, ...unhurried, judge: true });
    const heard = setInterval(() => watchdog.activity(), 20);
    await delay(unhurried.idleTimeoutMs * 1.2);
    expect(watchdog.state.phase).toBe('watching');
    clearInterval(heard);
    const error = await timeoutOf(watchdog);
    expect(error).toMatchObject({ pid: null, signal: null, receipt: null });
    expect(error.message).toContain('its own terminate was called');
    expect(calls).toBe(1);
  });

  it('a terminate that throws or never answers does not keep the caller waiting', async () => {
    const trouble = new Error('closed already');
    const throws = watch(
      {
        terminate: () => {
          throw trouble;
        },
      },
      quick,
    );
    const hangs = watch({ terminate: () => new Promise(() => {}) }, { ...quick, graceMs: 50 });
    expect(await timeoutOf(throws)).toMatchObject({ cause: trouble });
    expect(await timeoutOf(hangs)).toMatchObject({ signal: null });
  });
});

describe.concurrent('stop()', () => {
  it('from within terminate calls everything off', async () => {
    const { child, who } = await startReady('echo begin; exec cat');
    const watchdog: Watchdog = watch(child, { ...quick, graceMs: 0, terminate: () => watchdog.stop() });
    expect(await watchdog.done).toBe('stopped');
    await watchdog[Symbol.asyncDispose]();
    expect(isAlive(who)).toBe(true);
  });

  it('from within the event of the timeout: terminate is not even called', async () => {
    let calls = 0;
    const onEvent = ({ kind }: WatchdogEvent) => kind === 'watchdog.timeout' && watchdog.stop();
    const watchdog: Watchdog = watch({ terminate: () => (calls += 1) }, { ...quick, onEvent });
    expect([await watchdog.done, calls]).toEqual(['stopped', 0]);
  });

  it('through an AbortSignal, and at the end of a scope', async () => {
    const { child, who } = await startReady('echo begin; exec cat');
    const listeners = child.listenerCount('exit');
    const abort = new AbortController();
    const first = watch(child, { ...quick, signal: abort.signal });
    const second = watch(child, quick);
    abort.abort();
    await second[Symbol.asyncDispose]();
    expect(await Promise.all([first.done, second.done])).toEqual(['stopped', 'stopped']);
    expect(await watch(child, { ...quick, signal: abort.signal }).done).toBe('stopped');
    await delay(quick.idleTimeoutMs * 2);
    expect(isAlive(who)).toBe(true);
    await until(() => child.listenerCount('exit') === listeners, 'the watchdogs listen no more');
  });
});

describe('the environment', () => {
  afterEach(() => {
    delete process.env.UNSTUCK_WATCHDOG_ENABLED;
    delete process.env.UNSTUCK_WATCHDOG_TIMEOUT;
  });

  it('UNSTUCK_WATCHDOG_ENABLED=0, false, no or off: it waits for the end, and never fires', async () => {
    const { child } = await startReady('echo begin; read line; exit 0');
    const exited = once(child, 'exit');
    const watchdogs = ['0', 'false', 'no', 'off'].map((word) => {
      process.env.UNSTUCK_WATCHDOG_ENABLED = word;
      return watch(child.pid, { pollIntervalMs: 20, idleTimeoutMs: 1 });
    });
    // Time for any of them to fire.
    await delay(200);
    child.stdin.end();
    expect(await Promise.all(watchdogs.map(({ done }) => done))).toEqual(Array(4).fill('exited'));
    expect(await exited).toEqual([0, null]);
  });

  it('UNSTUCK_WATCHDOG_TIMEOUT is the default idle timeout', async () => {
    process.env.UNSTUCK_WATCHDOG_TIMEOUT = '0.1';
    const { child } = await startReady('echo begin; exec cat');
    const events: WatchdogEvent[] = [];
    await timeoutOf(watch(child, { pollIntervalMs: 20, onEvent: (event) => events.push(event) }));
    expect(events[0]).toMatchObject({ kind: 'watchdog.started', idleTimeoutMs: 100 });
  });

  it('a single error names all wrong variables', () => {
    process.env.UNSTUCK_WATCHDOG_ENABLED = 'perhaps';
    process.env.UNSTUCK_WATCHDOG_TIMEOUT = '-3';
    const { pid } = startChild('exec sleep 1000');
    expect(() => watch(pid)).toThrow(
      /^2 variables are wrong:\n.*UNSTUCK_WATCHDOG_ENABLED is "perhaps".*\n.*UNSTUCK_WATCHDOG_TIMEOUT is "-3"/,
    );
  });
});

it('a target or an option that cannot be used is refused with the reason', () => {
  const bad: [target: WatchTarget, options: WatchOptions, says: RegExp][] = [
    [process.pid, {}, /is this program or one of/],
    [process.ppid, {}, /one of its ancestors/],
    [1, {}, /is this program or one of its ancestors/],
    [-5, {}, /not a process id/],
    [{} as WatchTarget, {}, /nothing to watch/],
    [null as unknown as WatchTarget, {}, /nothing to watch/],
    [7, { idleTimeoutMs: 0, graceMs: Number.NaN }, /idleTimeoutMs is 0, graceMs is NaN/],
  ];
  for (const [target, options, says] of bad) expect(() => watch(target, options)).toThrow(says);
});

it('supervise() takes output for activity and leaves the streams alone', async () => {
  const child = startChild(
    'for i in 1 2 3 4 5 6 7 8; do echo line $i; sleep 0.1; done; echo end >&2; exec cat',
  );
  const watchdog = supervise(child, { ...quick, idleTimeoutMs: 6_000 });
  expect([child.stdout.readableFlowing, child.stderr.readableFlowing]).toEqual([null, null]);
  let text = '';
  // A reader gets every byte, however late and in whatever way.
  await delay(50);
  for await (const chunk of child.stdout) text += chunk;
  expect(text).toBe([1, 2, 3, 4, 5, 6, 7, 8].map((number) => `line ${number}\n`).join(''));
  expect(child.stderr.readableFlowing).toBe(null);
  expect(await timeoutOf(watchdog)).toMatchObject({ signal: 'SIGTERM' });
});

it('500 watchdogs share a timer, and only silent processes are ended', async () => {
  const sleepers = await startSleepers(500);
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  // Longer than it takes to begin, on a machine that is busy with other things.
  const idleTimeoutMs = 1_500;
  const watchdogs = sleepers.map(({ pid }) =>
    watch(pid, { pollIntervalMs: 100, idleTimeoutMs, graceMs: patienceMs }),
  );
  expect(timers()).toBeLessThanOrEqual(before + 1);
  const [silent, lively] = [watchdogs.slice(0, 20), watchdogs.slice(20)];
  const heard = setInterval(() => {
    for (const watchdog of lively) watchdog.activity();
  }, 50);
  const errors = await Promise.all(silent.map(timeoutOf));
  clearInterval(heard);
  for (const watchdog of lively) watchdog.stop();
  expect(errors.map(({ pid, signal }) => [pid, signal])).toEqual(silent.map(({ pid }) => [pid, 'SIGTERM']));
  expect(sleepers.filter((who) => !isAlive(who)).map(({ pid }) => pid)).toEqual(silent.map(({ pid }) => pid));
  expect(timers()).toBeLessThanOrEqual(before);
});

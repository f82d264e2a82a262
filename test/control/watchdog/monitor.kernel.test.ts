import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { monitor } from '../../../src/control/watchdog/monitor.js';
import type { MonitorEvent } from '../../../src/model/monitor.js';
import { isAlive, until } from '../../run/stop/start-run.js';
import { compile } from '../../support/compile.js';
import { type Child, startChild, startReady } from '../../watchdog/start-child.js';

const quick = { sample: '40ms', activityWindow: '200ms', projectFile: false } as const;

/** It has become this program: it is the shell until then. */
const untilNamed = ({ pid }: Child, name: string) =>
  until(() => fs.readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === name, `it is ${name}`);

/** Collects events; the monitor is stopped with the test. */
function listen() {
  const events: MonitorEvent[] = [];
  const find = <Kind extends MonitorEvent['kind']>(kind: Kind) =>
    events.find((event): event is Extract<MonitorEvent, { kind: Kind }> => event.kind === kind);
  return { events, find, onEvent: (event: MonitorEvent) => void events.push(event) };
}

describe.concurrent('a monitor', () => {
  it('reports a deadlock with its cause and sends no signal', async () => {
    const { child, who } = await startReady(`echo begin; exec ${await compile('mutex-ab-ba')}`);
    await untilNamed(child, 'mutex-ab-ba');
    const { find, onEvent } = listen();
    await using monitored = monitor(child.pid ?? 0, { ...quick, onEvent });
    await until(() => find('health') !== undefined, 'the deadlock is reported');
    expect(find('started')).toMatchObject({ pid: child.pid, label: 'mutex-ab-ba' });
    const { diagnosis } = find('health') ?? {};
    expect(diagnosis?.verdict?.kind).toBe('deadlock');
    expect(monitored.diagnosis?.health).not.toBe('healthy');
    expect(monitored.history.map(({ health }) => health)).toContain(diagnosis?.health);
    expect(isAlive(who)).toBe(true);
  });

  it('reports a stuck part of a tree that goes on', async () => {
    const { child } = await startReady(`
      ${await compile('mutex-ab-ba')} &
      while :; do echo tick; sleep 0.1; done`);
    child.stdout.resume();
    const { find, onEvent } = listen();
    // Snapshots may cost only a share of the time between samples.
    await using _ = monitor(child, { ...quick, sample: '300ms', activityWindow: '1s', onEvent });
    await until(() => find('finding') !== undefined, 'the part is reported');
    expect(find('finding')?.finding).toMatchObject({ kind: 'deadlock', name: 'mutex-ab-ba' });
  });

  it('a process that works stays healthy, and its end is reported without an exit code', async () => {
    const { child } = await startReady('echo begin; while read line; do echo $line; done; exit 3');
    child.stdout.resume();
    const { events, find, onEvent } = listen();
    const monitored = monitor(child, { ...quick, heartbeat: '50ms', silence: '1h', onEvent });
    const write = setInterval(() => child.stdin.write('more\n'), 20);
    await until(() => find('heartbeat') !== undefined, 'a heartbeat');
    clearInterval(write);
    child.stdin.end();
    expect(await monitored.done).toBe('ended');
    expect(find('heartbeat')).toMatchObject({ health: 'healthy', pid: child.pid });
    expect(events.at(-1)).toMatchObject({ kind: 'ended', health: 'healthy' });
    expect(events.map(({ kind }) => kind)).not.toContain('health');
    expect(Object.keys(events.at(-1) ?? {})).not.toContain('exitCode');
  });

  it('of a pid, a silence is the time without a read or write', async () => {
    const { child } = await startReady('echo begin; exec sleep 1000');
    await untilNamed(child, 'sleep');
    const { find, onEvent } = listen();
    await using _ = monitor(child.pid ?? 0, { ...quick, silence: '100ms', onEvent });
    await until(() => find('health') !== undefined, 'the silence is reported');
    expect(find('health')?.diagnosis.reason).toMatch(/^no read or write for /);
  });

  it('reports nothing after stop, and the process goes on', async () => {
    const { child, who } = await startReady('echo begin; exec cat');
    const { events, onEvent } = listen();
    const off = new AbortController();
    const monitored = monitor(child, { ...quick, onEvent, signal: off.signal });
    off.abort();
    expect(await monitored.done).toBe('stopped');
    const { length } = events;
    await monitored[Symbol.asyncDispose]();
    expect(events.length).toBe(length);
    expect(isAlive(who)).toBe(true);
  });

  it('a listener that throws does not end it', async () => {
    const { child } = await startReady('echo begin; exec cat');
    let calls = 0;
    const monitored = monitor(child, {
      ...quick,
      heartbeat: '20ms',
      onEvent: () => {
        calls += 1;
        throw new Error('broken listener');
      },
    });
    await until(() => calls > 2, 'called again');
    monitored.stop();
  });

  it('refuses what is no process, with a hint', async () => {
    const child = startChild('exit 0');
    await until(() => child.exitCode !== null, 'it has ended');
    expect(() => monitor(child.pid ?? 0)).toThrow(/there is no process/);
    expect(() => monitor(-4)).toThrow(/not a process id/);
    expect(() => monitor({})).toThrow(/nothing to monitor/);
    expect(fs.existsSync(`/proc/${child.pid}`)).toBe(false);
  });
});

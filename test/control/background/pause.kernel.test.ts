import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { waitsForInput } from '../../../src/probe/processes.js';
import { drainsOf } from '../../../src/run/output/drains.js';
import { type BackgroundHome, ownHome, until } from '../../support/background-home.js';

/** Two processes, the second in a session of its own, each of which prints all the time. */
const talkers = [
  'sh',
  '-c',
  'setsid sh -c "while :; do echo b; sleep 0.01; done" & while :; do echo a; sleep 0.01; done',
];
const quick = { sample: '50ms', activityWindow: '200ms', silence: '300ms', confirm: '600ms' };

const stateOf = (pid: number) => fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0];
const sizeOf = (log: string) => fs.statSync(log).size;

/** Bytes printed until a later poll has been answered. */
async function printed(home: BackgroundHome, { id, log }: { id: string; log: string }): Promise<number> {
  const before = sizeOf(log);
  for (let polls = 0; polls < 5; polls++) await home.call('poll', { id });
  return sizeOf(log) - before;
}

describe.concurrent('pause and resume', () => {
  it('stop and continue every process, also after the daemon was killed; a paused run is not stuck', async () => {
    const home = ownHome();
    const run = await home.start(talkers, { label: 'talk', options: { ...quick, killOn: 'medium' } });
    await until(() => sizeOf(run.log) > 1000, 'output of both');
    expect(await home.call('pause', { id: 'talk' })).toEqual({ id: run.id, paused: true, changed: true });
    expect(stateOf(run.pid as number)).toBe('T');
    // What they printed before may still be on its way to the log.
    const claim = fs.readFileSync(path.join(path.dirname(run.log), 'claim'), 'utf8');
    const drains = drainsOf(Number(claim.split(' ')[0]));
    expect(drains.length).toBeGreaterThan(0);
    await until(() => drains.every(({ pid }) => waitsForInput(pid)), 'all of it is in the log');
    expect(await printed(home, run)).toBe(0);
    expect(await home.call('pause', { id: run.id })).toMatchObject({ paused: true, changed: false });
    await home.killDaemon();
    const waited = await home.call('wait', { id: run.id, timeoutS: 2 });
    expect(waited).toMatchObject({ status: 'timeout', health: 'healthy', paused: true });
    expect(waited.why).toMatch(/^paused for .*; to go on: unstuck resume run_/);
    expect((await home.call('list', {})).runs[0]).toMatchObject({ status: 'running', paused: true });
    expect(await home.call('resume', { id: run.id })).toMatchObject({ paused: false, changed: true });
    const before = sizeOf(run.log);
    await until(() => sizeOf(run.log) > before + 500, 'more output');
    const { paused } = (await home.call('list', {})).runs[0] ?? {};
    expect(paused).toBeUndefined();
  });

  it('an order that a killed daemon left is carried out by the next one', async () => {
    const home = ownHome();
    const run = await home.start(talkers);
    await home.killDaemon();
    const order = { requestId: 'r1', paused: true, atMs: 1, heldMs: 0, done: false };
    fs.writeFileSync(path.join(path.dirname(run.log), 'pause.json'), JSON.stringify(order));
    await home.call('list', {});
    await until(() => stateOf(run.pid as number) === 'T', 'the command stands still');
    await home.call('resume', { id: run.id });
    await until(() => stateOf(run.pid as number) !== 'T', 'the command goes on');
  });

  it('paused time does not count towards the limits, and a paused run can be killed', async () => {
    const home = ownHome();
    // Longer than it takes to ask for the pause.
    const limits = { ...quick, timeout: '10s', idleTimeout: '9s' };
    const run = await home.start(['sleep', '1000'], { options: limits });
    await home.call('pause', { id: run.id });
    expect(await home.call('wait', { id: run.id, timeoutS: 11 })).toMatchObject({ status: 'timeout' });
    await home.call('resume', { id: run.id });
    expect(await home.call('wait', { id: run.id, until: ['exit'] })).toMatchObject({ status: 'exited' });
    const other = await home.start(talkers);
    await home.call('pause', { id: other.id });
    const { receipt } = await home.call('kill', { id: other.id });
    expect(receipt?.survivors).toEqual([]);
    await expect(home.call('pause', { id: other.id })).rejects.toMatchObject({ code: 'run-ended' });
  });
});

describe.concurrent('signal', () => {
  it('reaches the command once per request, also when the request is repeated', async () => {
    const home = ownHome();
    const run = await home.start([
      'sh',
      '-c',
      'trap "echo hup" HUP; echo ready; while :; do sleep 0.01; done',
    ]);
    await home.call('wait', { id: run.id, match: 'ready' });
    const send = () => home.call('signal', { id: run.id, signal: 'SIGHUP' }, { requestId: 'once' });
    const sent = await send();
    expect(sent).toMatchObject({ id: run.id, signal: 'SIGHUP' });
    expect(sent.pids).toContain(run.pid);
    await home.call('wait', { id: run.id, match: 'hup' });
    await home.killDaemon();
    expect((await send()).pids).toEqual(sent.pids);
    await home.call('signal', { id: run.id, signal: 'SIGHUP' });
    await home.call('wait', { id: run.id, match: 'hup' });
    const { lines } = await home.call('log', { id: run.id });
    expect(lines.filter((line) => line === 'hup')).toHaveLength(2);
  });
});

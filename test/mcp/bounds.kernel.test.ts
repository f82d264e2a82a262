import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askUntil } from '../support/ask-until.js';
import { BackgroundHome, until } from '../support/background-home.js';
import { Agent, type Answered } from './agent.js';

let home: BackgroundHome;
let agent: Agent;

beforeAll(async () => {
  home = new BackgroundHome();
  agent = await Agent.connect(home, { name: 'careful' });
});

afterAll(async () => {
  await agent.close();
  await home.end();
});

/** A wait has an end of its own, and is asked for again. */
const waitFor = (id: string) =>
  askUntil(
    () => agent.ask('process', { action: 'wait', id, until: ['exit'] }),
    ({ status }) => status !== 'timeout',
  );

describe.concurrent('bounds of a run', () => {
  test('it is stopped after its time', async () => {
    const { id } = await agent.ask('start', { command: ['sleep', '1000'], timeout: '200ms', waitS: 0 });
    const ended = await waitFor(id);
    expect(ended).toMatchObject({ status: 'exited', exit: { signal: 'SIGTERM' } });
    expect(ended.message).toContain('its time limit');
  });

  test('it is stopped when it prints nothing, with a limit in milliseconds and under another name', async () => {
    const command = ['sh', '-c', 'echo here; sleep 1000'];
    const { id } = await agent.ask('start', { command, idle_timeout_ms: 300, waitS: 0 });
    expect(await waitFor(id)).toMatchObject({ status: 'exited', exit: { signal: 'SIGTERM' } });
  });

  test('it is stopped when it is stuck for certain', async () => {
    const command = ['sh', '-c', 'kill -STOP $$'];
    const { id } = await agent.ask('start', { command, killOn: 'certain', waitS: 0 });
    expect(await waitFor(id)).toMatchObject({ status: 'exited' });
  });

  test('task and tags are kept, and the list is filtered by them', async () => {
    const nap = { command: ['sleep', '1000'], waitS: 0 };
    const [one, two] = await Promise.all([
      agent.ask('start', { ...nap, task: 'pr-1', tags: ['web', 'slow'] }),
      agent.ask('start', { ...nap, task: 'pr-2', tags: '["web"]' }),
    ]);
    const ids = async (filter: object) =>
      (await agent.ask('process', { action: 'list', ...filter })).runs.map(({ id }: Answered) => id).sort();
    expect(await ids({ tag: 'web' })).toEqual([one.id, two.id].sort());
    expect(await ids({ tag: 'slow' })).toEqual([one.id]);
    expect(await ids({ task: 'pr-2' })).toEqual([two.id]);
    expect(await ids({ tag: 'web', task: 'pr-3' })).toEqual([]);
  });

  test('it is started again on request, or after a failure', async () => {
    const tries = path.join(home.path, 'tries');
    const failing = ['sh', '-c', `echo try >>${tries}; exit 1`];
    const [{ id }, chain] = await Promise.all([
      agent.ask('start', { command: ['sleep', '1000'], label: 'again', waitS: 0 }),
      agent.ask('start', { command: failing, restart: 'on_failure', waitS: 0 }),
    ]);
    const next = await agent.ask('process', { action: 'restart', id: 'again' });
    expect(next).toMatchObject({ label: 'again', status: 'running', replaced: { id, status: 'killed' } });
    expect(next.id).not.toBe(id);
    expect(next.message).toMatch(new RegExp(`^${id} is stopped\\. ${next.id} \\("again"\\) is running`));
    const tried = () => (fs.existsSync(tries) ? fs.readFileSync(tries, 'utf8').split('\n').length - 1 : 0);
    await until(() => tried() > 1, 'it was tried again');
    await agent.ask('process', { action: 'kill', id: chain.id });
    await agent.ask('process', { action: 'kill', id: next.id });
  });

  test('its state is reported every so often', async () => {
    const { id } = await agent.ask('start', { command: ['sleep', '1000'], notifyEvery: '500ms', waitS: 0 });
    const reports = async () => {
      const { given } = await agent.ask('notices');
      return given.filter(({ runId, kind }: Answered) => runId === id && kind === 'progress');
    };
    await until(async () => (await reports()).length > 0, 'its state is reported');
    await agent.ask('process', { action: 'kill', id });
  });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { BackgroundHome, until } from '../support/background-home.js';
import { Agent } from './agent.js';

let home: BackgroundHome;

beforeAll(() => {
  home = new BackgroundHome();
});

afterAll(() => home.end());

const nap = { command: ['sleep', '1000'], waitS: 0 };

async function ownerOf(id: string): Promise<string | null | undefined> {
  const { runs } = await home.call('list', {});
  return runs.find((run) => run.id === id)?.owner;
}

test('a client reaches runs of another client only with "all"; runs of a client that is gone have no owner, and another client may kill them', async () => {
  const [one, two] = await Promise.all([
    Agent.connect(home, { name: 'one' }),
    Agent.connect(home, { name: 'two of a/kind', revision: '2025-11-25' }),
  ]);
  try {
    const { id } = await one.ask('start', { ...nap, label: 'mine' });
    expect(await ownerOf(id)).toMatch(/^one\.[0-9a-f]{8}$/);
    const hidden = await two.ask('process', { action: 'list' });
    expect(hidden).toMatchObject({ runs: [], others: 1 });
    expect(await two.ask('process', { action: 'list', all: true })).toMatchObject({
      runs: [{ id, label: 'mine', owner: expect.stringMatching(/^one\./) }],
    });
    for (const action of ['poll', 'log', 'wait', 'kill', 'close']) {
      expect(await two.fail('process', { action, id })).toMatchObject({ code: 'not-yours' });
    }
    for (const action of ['write', 'submit']) {
      expect(await two.fail('process', { action, id, data: 'x' })).toMatchObject({ code: 'not-yours' });
    }
    expect(await two.fail('why', { id })).toMatchObject({ code: 'not-yours' });
    expect(await two.ask('process', { action: 'poll', id, all: true })).toMatchObject({ status: 'running' });

    await one.close();
    await until(async () => (await ownerOf(id)) === null, 'it belongs to nobody');
    await until(() => one.stderr.includes('now have no owner'), 'it is reported');
    await home.killDaemon();
    expect(await ownerOf(id)).toBeNull();
    expect(await two.ask('process', { action: 'kill', id })).toMatchObject({ status: 'killed' });
  } finally {
    await Promise.all([one.close(), two.close()]);
  }
});

test('when a client is gone, --when-gone stops its runs or gives them to another owner; with --owner they stay as they are', async () => {
  const agents = await Promise.all(
    [
      ['--when-gone', 'stop'],
      ['--when-gone', 'to=night-shift'],
      ['--owner', 'ci'],
    ].map((args) => Agent.connect(home, { args, name: args.at(-1) as string })),
  );
  const ids: string[] = [];
  for (const agent of agents) ids.push((await agent.ask('start', nap)).id);
  await Promise.all(agents.map((agent) => agent.close()));
  const [stopped = '', given = '', kept = ''] = ids;
  const states = async () => {
    const { runs } = await home.call('list', {});
    return [stopped, given, kept].map((id) => {
      const run = runs.find((one) => one.id === id);
      return `${run?.status} ${run?.owner}`;
    });
  };
  const wanted = [/^exited stop\./, /^running night-shift$/, /^running ci$/];
  await until(
    async () => (await states()).every((state, index) => wanted[index]?.test(state)),
    'all are where they belong',
  );
});

test('a client may start what is allowed, and so many at once', async () => {
  const args = ['--allow', 'sleep *', '--deny', '*9999*', '--max-runs', '2', '--when-gone', 'stop'];
  const agent = await Agent.connect(home, { args, name: 'limited' });
  try {
    const start = (command: string | string[]) => agent.fail('start', { command, waitS: 0 });
    expect(await start(['rm', '-rf', '/'])).toMatchObject({
      code: 'not-yours',
      message: expect.stringContaining('sleep *'),
    });
    expect(await start('sleep 1; rm -rf /')).toMatchObject({ code: 'not-yours' });
    expect(await start('sleep 9999')).toMatchObject({
      code: 'not-yours',
      message: expect.stringContaining('*9999*'),
    });
    const { id: unowned } = await home.call('start', { command: ['true'] });
    expect(await agent.fail('process', { action: 'restart', id: unowned })).toMatchObject({
      code: 'not-yours',
      message: expect.stringContaining('was not started by this client'),
    });
    const results = await Promise.all(Array.from({ length: 5 }, () => agent.call('start', nap)));
    const refused = results.filter(({ isError }) => isError);
    expect(results.length - refused.length).toBeLessThanOrEqual(2);
    const { runs } = await agent.ask('process', { action: 'list' });
    expect(runs.length).toBe(results.length - refused.length);
    for (const { structuredContent } of refused) {
      const { code, message } = structuredContent.error;
      expect(code).toBe('too-large');
      const said =
        /^(\d+) runs of this client are running(?: and (\d+) more are starting)?, and the limit is 2/;
      const [, running, starting = 0] = said.exec(message) ?? [];
      expect(Number(running) + Number(starting), message).toBeGreaterThanOrEqual(2);
    }
  } finally {
    await agent.close();
  }
});

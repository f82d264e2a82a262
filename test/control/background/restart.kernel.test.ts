import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type BackgroundHome, ownHome, until } from '../../support/background-home.js';

const quick = { on: 'on-failure', delayS: 0.1 } as const;
/** Adds a line to a file at each start. */
const counted = (home: BackgroundHome, then: string) => [
  'sh',
  '-c',
  `echo x >> ${home.path}/starts; ${then}`,
];
const startsOf = (home: BackgroundHome) => {
  const file = path.join(home.path, 'starts');
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim().split('\n').length : 0;
};
const listed = async (home: BackgroundHome) => (await home.call('list', {})).runs;

describe.concurrent('restart and rerun', () => {
  it('stop a run with a receipt, and start the same request with the same label', async () => {
    const home = ownHome();
    const first = await home.start(['sh', '-c', 'echo $PORT; exec sleep 1000'], {
      ...{ label: 'api', task: 'T', tags: ['x'], env: { PORT: '3000' }, options: { timeout: '1h' } },
    });
    const restart = () => home.call('restart', { id: 'api' }, { requestId: 'again' });
    const next = await restart();
    expect(next).toMatchObject({
      label: 'api',
      status: 'running',
      replaced: { id: first.id, status: 'killed', receipt: { survivors: [] } },
    });
    expect(next.id).not.toBe(first.id);
    await home.killDaemon();
    expect(await restart()).toMatchObject({ id: next.id, pid: next.pid });
    expect((await home.call('wait', { id: next.id, match: '3000' })).status).toBe('match');
    const again = await home.call('rerun', { id: next.id });
    expect(again).toMatchObject({ label: 'api', of: next.id, status: 'running' });
    const live = (await listed(home)).filter(({ status }) => status === 'running');
    expect(live.map(({ id, task, tags }) => ({ id, task, tags }))).toEqual([
      { id: next.id, task: 'T', tags: ['x'] },
      { id: again.id, task: 'T', tags: ['x'] },
    ]);
  });

  it('a run whose command holds a secret is neither kept nor stopped', async () => {
    const home = ownHome();
    const run = await home.start(['sleep', '1000'], { env: { API_TOKEN: 'sk-0123456789abcdef0123' } });
    await expect(home.call('restart', { id: run.id })).rejects.toMatchObject({ code: 'unsupported' });
    expect((await home.call('poll', { id: run.id })).status).toBe('running');
  });
});

describe.concurrent('a restart policy', () => {
  it('starts a run again until it succeeds; each attempt is kept with its log', async () => {
    const home = ownHome();
    const script = `[ $(wc -l < ${home.path}/starts) -ge 3 ] || { echo bad; exit 3; }; echo good`;
    await home.start(counted(home, script), { label: 'job', restart: quick });
    await until(
      async () => (await listed(home)).at(-1)?.restart?.over === 'it ended with success',
      'its success',
    );
    const runs = await listed(home);
    expect(runs.map(({ label, exit, restart }) => [label, exit?.code, restart?.attempt])).toEqual([
      ['job', 3, 1],
      ['job', 3, 2],
      ['job', 0, 3],
    ]);
    expect(startsOf(home)).toBe(3);
    const { lines } = await home.call('log', { id: 'job' });
    expect(lines).toEqual(['good']);
    // The environment is not kept any longer than it is needed.
    for (const { id } of runs) {
      expect(fs.readFileSync(path.join(home.path, 'runs', id, 'request.json'), 'utf8')).not.toContain(
        'inherit',
      );
    }
  });

  it('gives up after the maximum, and says so', async () => {
    const home = ownHome();
    await home.start(counted(home, 'exit 1'), { restart: { ...quick, max: 2 } });
    await until(async () => (await listed(home)).at(-1)?.restart?.over !== null, 'its end');
    expect((await listed(home)).at(-1)?.restart).toMatchObject({
      attempt: 3,
      over: 'it was restarted 2 times in a row',
    });
    expect(startsOf(home)).toBe(3);
  });

  it('a run that ended while no daemon lived is started again by the next one, exactly once', async () => {
    const home = ownHome();
    const gate = path.join(home.path, 'gate');
    const script = `if [ -e ${gate} ]; then exec sleep 1000; fi; until [ -e ${gate} ]; do sleep 0.01; done; exit 1`;
    const first = await home.start(counted(home, script), { label: 'job', restart: quick });
    await home.killDaemon();
    fs.writeFileSync(gate, '');
    await until(() => !fs.existsSync(`/proc/${first.pid}`), 'the end of the first attempt');
    // Daemons that are killed at any moment of the restart.
    for (let kills = 0; kills < 6; kills++) {
      await listed(home);
      await until(async () => (await home.killDaemon()) || true, 'a killed daemon');
    }
    await until(
      async () =>
        (await listed(home)).some(({ status, restart }) => status === 'running' && restart?.attempt === 2),
      'the second attempt',
    );
    // It is listed before its shell has run.
    await until(() => startsOf(home) > 1, 'the second attempt has begun');
    const { runs } = await home.call('list', { status: 'running' });
    expect(runs).toMatchObject([{ label: 'job', restart: { attempt: 2 } }]);
    expect(startsOf(home)).toBe(2);
    // Any id of the chain stops the attempt that lives.
    expect(await home.call('kill', { id: first.id })).toMatchObject({ id: runs[0]?.id, status: 'killed' });
    expect((await listed(home)).at(-1)?.restart?.over).toBe('it was stopped on request');
    expect((await listed(home)).some(({ status }) => status === 'running')).toBe(false);
    expect(startsOf(home)).toBe(2);
  });

  it('a kill during the back-off calls the restart off, also for the next daemon', async () => {
    const home = ownHome();
    await home.start(counted(home, 'exit 1'), { label: 'job', restart: { ...quick, delayS: 30 } });
    await until(async () => typeof (await listed(home))[0]?.restart?.nextAt === 'string', 'the back-off');
    await home.call('kill', { id: 'job' });
    expect((await listed(home))[0]?.restart).toMatchObject({
      nextAt: null,
      over: 'it was stopped on request',
    });
    await home.killDaemon();
    expect((await listed(home))[0]?.restart).toMatchObject({
      nextAt: null,
      over: 'it was stopped on request',
    });
    expect(startsOf(home)).toBe(1);
  });
});

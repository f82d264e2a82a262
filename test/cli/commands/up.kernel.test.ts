import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '../../support/background-home.js';
import { freePort } from '../../support/free-port.js';
import { type BackgroundHome, useBackgroundHome } from './background-home.js';

const background = useBackgroundHome();

function write(home: BackgroundHome, services: object, more: object = {}): string {
  const file = path.join(home.path, 'unstuck-up.json');
  fs.writeFileSync(file, JSON.stringify({ services, ...more }));
  return file;
}

const running = async (home: BackgroundHome) => (await home.json(['list', '--status', 'running'])).runs;

describe.concurrent('unstuck up and down', () => {
  it('starts in order; one dies and comes back, also under a new daemon; down leaves nothing', async () => {
    const { home } = background;
    const port = await freePort();
    const file = write(home, {
      worker: {
        command: ['sh', '-c', 'echo works; exec sleep 1000'],
        after: ['web', 'seed'],
        ready: { match: 'works' },
      },
      seed: { command: `test ! -e ${home.path}/late && echo seeded`, ready: { exit: true } },
      web: {
        command: ['python3', '-m', 'http.server', String(port), '--bind', '127.0.0.1'],
        ...{ ready: { port }, restart: 'always', restartDelay: '100ms' },
      },
    });
    const up = await home.json(['up', file]);
    expect(up.services.map((one: { name: string; ready: string }) => [one.name, one.ready])).toEqual([
      ['seed', 'exit'],
      ['web', 'port'],
      ['worker', 'match'],
    ]);
    const [web] = (await running(home)).filter(({ label }: { label: string }) => label === 'web');
    process.kill(web.pid, 'SIGKILL');
    process.kill(await home.daemonPid(), 'SIGKILL');
    const isBack = async () =>
      (await running(home)).some(({ label, pid }: typeof web) => label === 'web' && pid !== web.pid);
    await until(isBack, 'the server is back');
    expect((await home.json(['up', file])).services).toMatchObject([
      { name: 'seed', wasUp: false },
      { name: 'web', wasUp: true },
      { name: 'worker', wasUp: true },
    ]);
    const down = await home.json(['down', file]);
    expect(
      down.runs.every(({ receipt }: { receipt: { survivors: [] } }) => receipt.survivors.length === 0),
    ).toBe(true);
    expect(await running(home)).toEqual([]);
  });

  it('one that never gets ready is named, with why, and nothing is left', async () => {
    const { home } = background;
    const file = write(home, {
      good: { command: ['sleep', '1000'] },
      bad: { command: ['sleep', '1000'], after: ['good'], ready: { match: 'never' }, readyTimeout: '1s' },
    });
    const { code, stderr } = await home.run(['up', '-d', file]);
    expect({ code, stderr }).toMatchObject({
      code: 125,
      stderr: expect.stringContaining('bad is not ready after 1 s: '),
    });
    expect(await running(home)).toEqual([]);
  });

  it('a port that is taken is an error before anything is started', async () => {
    const { home } = background;
    const server = net.createServer();
    const port = await new Promise<number>((resolve) => {
      server.listen(0, () => resolve((server.address() as net.AddressInfo).port));
    });
    try {
      const file = write(home, {
        first: { command: 'true' },
        web: { command: 'true', after: ['first'], ready: { port } },
      });
      const { code, stderr } = await home.run(['up', file]);
      expect({ code, stderr }).toMatchObject({
        code: 125,
        stderr: expect.stringContaining(`port ${port} of web is taken`),
      });
      expect((await home.json(['list'])).runs).toEqual([]);
    } finally {
      server.close();
    }
  });

  it('a service whose program does not exist is named, and the others are stopped', async () => {
    const { home } = background;
    const file = write(home, { one: { command: ['sleep', '1000'] }, two: { command: ['no-such-program'] } });
    const { code, stderr } = await home.run(['up', file]);
    expect({ code, stderr }).toMatchObject({
      code: 127,
      stderr: expect.stringContaining('two: no such command: no-such-program'),
    });
    expect((await home.json(['list', '--status', 'running'])).runs).toEqual([]);
  });

  it('down with a wrong name is an error that names what is up; down of a deleted file works', async () => {
    const { home } = background;
    const file = write(home, { one: { command: ['sleep', '1000'] } });
    const { task } = await home.json(['up', file]);
    const { code, stderr } = await home.run(['down', `${file}x`]);
    expect({ code, stderr }).toMatchObject({
      code: 125,
      stderr: expect.stringContaining(
        `these are up: ${task} (one); to stop one: unstuck kill --task ${task}`,
      ),
    });
    expect(await running(home)).toHaveLength(1);
    fs.rmSync(file);
    expect((await home.json(['down', file])).runs).toHaveLength(1);
    expect((await home.run(['down', file])).stderr).toContain('nothing to stop');
  });

  it('Ctrl-C of a foreground up means down', async () => {
    const { home } = background;
    const file = write(home, { one: { command: ['sleep', '1000'], restart: 'always' } });
    const session = home.open(['up', file]);
    await session.until(() => session.stderr.includes('all are ready'));
    session.child.kill('SIGINT');
    expect(await session.done).toBe(130);
    expect(await running(home)).toEqual([]);
  });
});

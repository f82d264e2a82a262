import { expect, it } from 'vitest';
import { killPort } from '../../src/control/orphans/orphans.js';
import { isAlive } from '../run/stop/start-run.js';
import { readIdentity } from '../support/read-tree.js';
import { OrphanHome } from './orphan-home.js';

/** Listens on a port of the system's choice, with a child that has its socket too, and writes the number down. */
const server = (name: string) => `
  const server = require('net').createServer().listen(0, '127.0.0.1', () => {
    const { spawn } = require('child_process');
    spawn('sleep', ['1000'], { stdio: ['ignore', 'ignore', 'ignore', server._handle] });
    require('fs').writeFileSync(process.argv[1], server.address().port + '\\n');
  });
  void '${name}';`;

it('a listener on a port is stopped with its children if it is ours, the rest of its run is not', async () => {
  const home = new OrphanHome();
  const command = (name: string) => `'${process.execPath}' -e "$SERVER" ${name}-port`;
  const env = { SERVER: server('mine') };
  await home.run(`${command('orphan')} & echo $! >orphan; while [ ! -s orphan-port ]; do sleep 0.01; done`, {
    env,
  });
  await home.run(`sleep 1000 & echo $! >beside; ${command('live')} & echo $! >live; wait`, {
    env,
    lives: true,
  });
  const stranger = home.start([process.execPath, '-e', server('else'), 'stranger-port']);
  const portOf = (name: string) => home.number(`${name}-port`);
  const [orphan, live, beside] = [await home.pid('orphan'), await home.pid('live'), await home.pid('beside')];
  const [, livePort, strangerPort] = [await portOf('orphan'), await portOf('live'), await portOf('stranger')];
  const options = { home: home.path, graceMs: 1000 };

  const ours = await killPort(await portOf('orphan'), options);
  expect(ours).toMatchObject({ killed: 2, skipped: 0, failed: 0, tip: null });
  expect(ours.results.map(({ pid }) => pid)).toContain(orphan);
  expect(ours.results[0]).toMatchObject({ classification: 'confirmed', ports: [await portOf('orphan')] });
  expect(ours.receipt?.ports).toEqual([{ port: await portOf('orphan'), free: true }]);

  expect(await killPort(livePort, options)).toMatchObject({ killed: 2, failed: 0 });
  expect([live, beside].map(readIdentity).map(isAlive)).toEqual([false, true]);

  const refused = await killPort(strangerPort, options);
  expect(refused).toMatchObject({ killed: 0, skipped: 2, receipt: null });
  expect(refused.results[0]).toMatchObject({
    because: 'not proven to belong to a run',
    classification: 'suspected',
  });
  expect(refused.tip).toMatch(/--force/);
  expect(isAlive(readIdentity(stranger))).toBe(true);
  expect(await killPort(strangerPort, { ...options, force: true })).toMatchObject({ killed: 2, skipped: 0 });
  await expect(killPort(strangerPort, options)).rejects.toMatchObject({ code: 'no-such-process' });
  await expect(killPort(0, options)).rejects.toMatchObject({ code: 'bad-input' });
});

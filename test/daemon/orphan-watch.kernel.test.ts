import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BackgroundHome, until } from '../support/background-home.js';
import { runCli } from '../support/run-cli.js';
import { isAlive } from '../support/start-run-cli.js';

let home: BackgroundHome;
const left: number[] = [];

beforeEach(() => {
  home = new BackgroundHome();
});

afterEach(async () => {
  for (const pid of left.splice(0)) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  await home.end();
});

const leave = `setsid sh -c 'echo $$ >"$0"; exec sleep 1234' "$1" </dev/null >/dev/null 2>&1 &
until [ -s "$1" ]; do sleep 0.02; done`;

/** The pid of what a run left that has ended. */
async function leaveOrphan(name: string): Promise<number> {
  const file = path.join(home.path, name);
  const { code, stderr } = await runCli(['run', '--', 'sh', '-c', leave, 'sh', file], home.env);
  const pid = Number(fs.readFileSync(file, 'utf8'));
  left.push(pid);
  if (code !== 0) throw new Error(stderr);
  return pid;
}

const log = () => {
  const file = path.join(home.path, 'orphans.log');
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
};

const count = (text: string) => log().split(text).length - 1;

describe('F5: the daemon looks for orphans', () => {
  test('F5: told once each, left alone unless it was told to; its numbers can be asked for; it keeps no daemon', async () => {
    const pid = await leaveOrphan('first');
    Object.assign(home.env, {
      UNSTUCK_ORPHANS_EVERY: '150ms',
      UNSTUCK_ORPHANS_AFTER: '0',
      UNSTUCK_DAEMON_IDLE: '1s',
    });
    await home.call('list', {});
    await until(() => log().includes(`DETECTED pid=${pid} cmd="sleep 1234"`), 'the first');
    const { watch, orphans } = await home.call('orphans', {});
    expect(watch).toMatchObject({ watching: true, detected: 1, killed: 0 });
    expect(orphans).toMatchObject([{ pid, classification: 'confirmed' }]);
    await until(() => home.daemonPid === null, 'the end of a daemon that has nothing to do');
    expect(isAlive(pid)).toBe(true);
    expect(count('DETECTED')).toBe(1);

    Object.assign(home.env, { UNSTUCK_ORPHANS_KILL: 'confirmed', UNSTUCK_DAEMON_IDLE: '60s' });
    await home.call('list', {});
    await until(() => log().includes(`KILLED pid=${pid} `), 'the end of the first');
    expect(isAlive(pid)).toBe(false);
    await until(async () => (await home.call('orphans', {})).orphans.length === 0, 'nobody is left');
    const asked = await runCli(['orphans', '--json'], home.env);
    expect(JSON.parse(asked.stdout)).toMatchObject({
      orphans: [],
      watch: { watching: true, detected: 1, killed: 1 },
    });

    await home.killDaemon();
    home.env.UNSTUCK_ORPHANS_EVERY = '0';
    expect((await home.call('orphans', {})).watch).toMatchObject({ watching: false, lastCheckAt: null });
  });
});

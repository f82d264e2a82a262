import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ownHome as home, until } from '../support/background-home.js';
import { afterThisTest } from '../support/per-test.js';
import { removeDirectory } from '../support/remove-directory.js';
import { runCli } from '../support/run-cli.js';
import { isAlive } from '../support/start-run-cli.js';

/** It ends with the test. */
function stopLater(pid: number): void {
  afterThisTest(() => {
    if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  });
}

const leave = `setsid sh -c 'echo $$ >"$0"; exec sleep 1234' "$1" </dev/null >/dev/null 2>&1 &
until [ -s "$1" ]; do sleep 0.02; done`;

/** Until then it is a shell: it would be reported as one, and not again. */
async function untilItIs(pid: number, command: string): Promise<void> {
  const words = () => fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim();
  await until(() => words() === command, `it is ${command}`);
}

/** The pid of what a run left that has ended. */
async function leaveOrphan(name: string): Promise<number> {
  const file = path.join(home().path, name);
  const { code, stderr } = await runCli(['run', '--', 'sh', '-c', leave, 'sh', file], home().env);
  const pid = Number(fs.readFileSync(file, 'utf8'));
  stopLater(pid);
  if (code !== 0) throw new Error(stderr);
  await untilItIs(pid, 'sleep 1234');
  return pid;
}

const log = () => {
  const file = path.join(home().path, 'orphans.log');
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
};

const count = (text: string) => log().split(text).length - 1;

describe.concurrent('the daemon searches for orphans', () => {
  test('orphans are reported once each, killed only if configured, counted, and keep no daemon alive', async () => {
    const pid = await leaveOrphan('first');
    Object.assign(home().env, {
      UNSTUCK_ORPHANS_EVERY: '150ms',
      UNSTUCK_ORPHANS_AFTER: '0',
      // Its numbers are asked for before it ends.
      UNSTUCK_DAEMON_IDLE: '12s',
    });
    await home().call('list', {});
    await until(() => log().includes(`DETECTED pid=${pid} cmd="sleep 1234"`), 'the first');
    const { watch, orphans } = await home().call('orphans', {});
    expect(watch).toMatchObject({ watching: true, detected: 1, killed: 0 });
    expect(orphans).toMatchObject([{ pid, classification: 'confirmed' }]);
    await until(() => home().daemonPid === null, 'the end of a daemon that has nothing to do');
    expect(isAlive(pid)).toBe(true);
    expect(count('DETECTED')).toBe(1);

    Object.assign(home().env, { UNSTUCK_ORPHANS_KILL: 'confirmed', UNSTUCK_DAEMON_IDLE: '60s' });
    await home().call('list', {});
    await until(() => log().includes(`KILLED pid=${pid} `), 'the end of the first');
    expect(isAlive(pid)).toBe(false);
    await until(async () => (await home().call('orphans', {})).orphans.length === 0, 'nobody is left');
    const asked = await runCli(['orphans', '--json'], home().env);
    expect(JSON.parse(asked.stdout)).toMatchObject({
      orphans: [],
      watch: { watching: true, detected: 1, killed: 1 },
    });

    await home().killDaemon();
    home().env.UNSTUCK_ORPHANS_EVERY = '0';
    expect((await home().call('orphans', {})).watch).toMatchObject({ watching: false, lastCheckAt: null });
  });

  test('with auto-kill the daemon stays until an orphan is old enough, stops it, and leaves then', async () => {
    const pid = await leaveOrphan('young');
    Object.assign(home().env, {
      UNSTUCK_ORPHANS_EVERY: '100ms',
      UNSTUCK_ORPHANS_AFTER: '5s',
      UNSTUCK_ORPHANS_KILL: 'confirmed',
      UNSTUCK_DAEMON_IDLE: '300ms',
    });
    await home().call('list', {});
    const daemon = home().daemonPid;
    await until(() => log().includes(`KILLED pid=${pid} `) || home().daemonPid !== daemon, 'its end');
    expect(count(`KILLED pid=${pid} `)).toBe(1);
    await until(() => home().daemonPid === null, 'the end of a daemon that has nothing to do');
  });

  test('with auto-kill the daemon stays for what a run in the foreground may leave', async () => {
    Object.assign(home().env, {
      UNSTUCK_ORPHANS_EVERY: '100ms',
      UNSTUCK_ORPHANS_AFTER: '0',
      UNSTUCK_ORPHANS_KILL: 'confirmed',
      UNSTUCK_DAEMON_IDLE: '300ms',
    });
    const go = path.join(home().path, 'go');
    const script = `echo >"$3"; until [ -e "$2" ]; do sleep 0.02; done; ${leave}`;
    const file = path.join(home().path, 'late');
    const begun = path.join(home().path, 'begun');
    const running = runCli(['run', '--', 'sh', '-c', script, 'sh', file, go, begun], home().env);
    await until(() => fs.existsSync(begun), 'the command');
    await home().call('list', {});
    const daemon = home().daemonPid;
    const { lastCheckAt } = (await home().call('orphans', {})).watch;
    const checked = async () => (await home().call('orphans', {})).watch.lastCheckAt !== lastCheckAt;
    await until(checked, 'a check that saw the run');
    // Long past its idle time: there is no request.
    await until(() => Date.now() - fs.statSync(path.join(home().path, 'daemon.lock')).mtimeMs > 2000, 'idle');
    expect(home().daemonPid).toBe(daemon);
    fs.writeFileSync(go, '');
    await running;
    const pid = Number(fs.readFileSync(file, 'utf8'));
    stopLater(pid);
    await until(() => log().includes(`KILLED pid=${pid} `), 'its end');
    await until(() => home().daemonPid === null, 'the end of a daemon that has nothing to do');
  });

  test('a daemon that is stopped in the middle of a kill writes down how the kill ended', async () => {
    const file = path.join(home().path, 'stubborn');
    const script = `setsid sh -c 'trap "" TERM; echo $$ >"$0"; while :; do sleep 0.05; done' "$1" </dev/null >/dev/null 2>&1 &
until [ -s "$1" ]; do sleep 0.02; done`;
    const { code } = await runCli(['run', '--', 'sh', '-c', script, 'sh', file], home().env);
    expect(code).toBe(0);
    const pid = Number(fs.readFileSync(file, 'utf8'));
    stopLater(pid);
    Object.assign(home().env, {
      UNSTUCK_ORPHANS_EVERY: '100ms',
      UNSTUCK_ORPHANS_AFTER: '0',
      UNSTUCK_ORPHANS_KILL: 'confirmed',
    });
    await home().call('list', {});
    await until(() => log().includes(`DETECTED pid=${pid} `), 'it is found');
    const stopped = await runCli(['daemon', 'stop'], home().env);
    expect(stopped.code).toBe(0);
    expect(home().daemonPid).toBe(null);
    // Either it was stopped, and that is written down, or the kill had not begun.
    expect(count(`KILLED pid=${pid} `)).toBe(isAlive(pid) ? 0 : 1);
    expect(isAlive(pid)).toBe(false);
  });

  test('a suspect is found in the directory of a run that was removed', async () => {
    const project = path.join(home().path, 'project');
    fs.mkdirSync(project);
    Object.assign(home().env, { UNSTUCK_ORPHANS_EVERY: '100ms', UNSTUCK_ORPHANS_AFTER: '0' });
    const { id } = await home().start(['true'], { cwd: project });
    await home().call('wait', { id });
    const projects = path.join(home().path, 'projects.json');
    await until(() => fs.existsSync(projects), 'the directory is known');
    expect(fs.statSync(projects).mode & 0o777).toBe(0o600);
    await home().killDaemon();
    await removeDirectory(path.join(home().path, 'runs', id));

    const file = path.join(project, 'pid');
    const abandon = 'tail -f /dev/null </dev/null >/dev/null 2>&1 & echo $! >pid';
    execFileSync('setsid', ['-w', 'sh', '-c', abandon], { cwd: project });
    const pid = Number(fs.readFileSync(file, 'utf8'));
    stopLater(pid);
    await untilItIs(pid, 'tail -f /dev/null');
    await home().call('list', {});
    await until(() => log().includes(`DETECTED pid=${pid} cmd="tail -f /dev/null"`), 'the suspect');
    expect(log()).toContain('status=suspected');
    expect(isAlive(pid)).toBe(true);
  });
});

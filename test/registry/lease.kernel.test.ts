import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OperationInput } from '../../src/control/operations/table.js';
import { identify } from '../../src/probe/linux/identity/identify.js';
import { standingOfOwner } from '../../src/registry/lease/owner.js';
import { openTerminal } from '../../src/run/launch/pseudo-terminal.js';
import { BackgroundHome, until } from '../support/background-home.js';
import { cliPath } from '../support/run-cli.js';

type Lease = NonNullable<OperationInput<'start'>['lease']>;

let home: BackgroundHome;
const owners: ChildProcess[] = [];

beforeEach(() => {
  home = new BackgroundHome();
});

afterEach(async () => {
  for (const owner of owners.splice(0)) owner.kill('SIGKILL');
  await home.end();
});

async function startOwner(): Promise<{ pid: number; end(): Promise<unknown> }> {
  const child = spawn('sleep', ['1000'], { stdio: 'ignore' });
  owners.push(child);
  await once(child, 'spawn');
  return {
    pid: child.pid ?? 0,
    end: () => {
      child.kill('SIGKILL');
      return once(child, 'exit');
    },
  };
}

const startRun = (lease: Lease, more: Partial<OperationInput<'start'>> = {}) =>
  home.start(['sleep', '1000'], { lease, ...more });

async function find(id: string) {
  const { runs } = await home.call('list', {});
  return runs.find((run) => run.id === id);
}

const events = (id: string) => {
  const file = path.join(home.path, 'runs', id, 'events.jsonl');
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
};

describe('a run that is tied to its owner', () => {
  test('the owner dies: its runs are reported, stopped or kept as configured; other owners lose nothing', async () => {
    const [mortal, other] = [await startOwner(), await startOwner()];
    const { pid } = mortal;
    const [reported, stopped, kept, theirs] = await Promise.all([
      startRun({ pid }, { notify: { events: ['exit'] } }),
      startRun({ pid, whenGone: 'stop', delayS: 0.3 }),
      startRun({ pid, whenGone: 'keep' }),
      startRun({ pid: other.pid, whenGone: 'stop', delayS: 0 }),
    ]);
    const identity = identify(pid);
    expect(
      JSON.parse(fs.readFileSync(path.join(path.dirname(reported.log), 'run.json'), 'utf8')),
    ).toMatchObject({
      background: { lease: { owner: identity, whenGone: 'report', delayMs: 30_000 } },
    });
    await mortal.end();
    await until(async () => (await find(stopped.id))?.status === 'exited', 'the end of the run');
    expect(await find(stopped.id)).toMatchObject({ exit: { signal: 'SIGTERM' } });
    expect(events(stopped.id)).toContain(`its owner is gone (pid ${pid}): it is stopped in 300 ms`);
    expect(events(stopped.id)).toContain(`its owner is gone (pid ${pid}): it is stopped now`);
    expect(events(stopped.id)).toContain('"kind":"killed"');

    await until(async () => /^its owner is gone; /.test((await find(reported.id))?.why ?? ''), 'the remark');
    expect(await find(reported.id)).toMatchObject({ status: 'running' });
    expect(events(reported.id).match(/its owner is gone/g)).toHaveLength(1);
    const { notices } = await home.call('notices', {});
    expect(notices).toMatchObject([
      { kind: 'owner-gone', runId: reported.id, text: `its owner is gone (pid ${pid}): it goes on` },
    ]);
    for (const { id } of [kept, theirs]) {
      const run = await find(id);
      expect(run?.status).toBe('running');
      expect(run?.why).not.toContain('owner');
    }
  });

  test('a daemon that is killed in between: the next daemon goes on, and reports nothing twice', async () => {
    const [early, late] = [await startOwner(), await startOwner()];
    const whenGone = 'stop' as const;
    const first = await startRun({ pid: early.pid, whenGone, delayS: 1.5 });
    const second = await startRun({ pid: late.pid, whenGone, delayS: 0 });
    const third = await startRun({ pid: early.pid });
    await early.end();
    // It is reported first and saved after that.
    const isSaved = (id: string) => fs.existsSync(path.join(home.path, 'runs', id, 'lease.json'));
    await until(() => isSaved(third.id) && isSaved(first.id), 'the news');
    expect(events(third.id)).toMatch(/it goes on/);
    expect(events(first.id)).toMatch(/in 1.5 s/);
    await home.killDaemon();
    await late.end();
    const isOver = async (id: string) => (await find(id))?.status === 'exited';
    expect(await find(third.id)).toMatchObject({
      status: 'running',
      why: expect.stringMatching(/^its owner is gone; /),
    });
    await until(async () => (await isOver(first.id)) && (await isOver(second.id)), 'the end of both');
    expect(events(first.id).match(/it is stopped in 1.5 s/g)).toHaveLength(1);
    expect(events(third.id).match(/its owner is gone/g)).toHaveLength(1);
  });

  test('a reused pid counts as gone, and no run can be bound to a missing process', async () => {
    const { pid, end } = await startOwner();
    const identity = identify(pid);
    if (identity === null) throw new Error('no owner');
    expect(standingOfOwner(identity)).toBe('there');
    expect(standingOfOwner({ ...identity, startTicks: identity.startTicks - 1 })).toBe('gone');
    expect(standingOfOwner({ ...identity, bootId: 'another' })).toBe('gone');
    await expect(startRun({ pid, startTicks: identity.startTicks - 1 })).rejects.toMatchObject({
      code: 'no-such-process',
      message: `the owner of the lease, process ${pid}, is not there`,
    });
    await end();
    expect(standingOfOwner(identity)).toBe('gone');
    await expect(startRun({ pid })).rejects.toMatchObject({ code: 'no-such-process' });
    await expect(startRun({})).rejects.toMatchObject({ code: 'bad-input' });
  });

  test('on the command line: the caller of unstuck, or the shell of a terminal, until that is closed', async () => {
    const terminal = openTerminal();
    if (terminal === null) throw new Error('no pseudo terminal');
    const { master, slave } = terminal;
    const ask = `"$1" "$2" start --lease parent --json -- sleep 1000 </dev/null
"$1" "$2" start --lease terminal --when-gone stop --lease-delay 0 --json -- sleep 1000 </dev/null
read line`;
    const words = ['-c', 'sh', '-c', ask, 'sh', process.execPath, cliPath];
    // Its session is its own, and so is the terminal; what it says is read from a pipe.
    const shell = spawn('setsid', words, { env: home.env, stdio: [slave, 'pipe', slave] });
    owners.push(shell);
    fs.closeSync(slave);
    let said = '';
    shell.stdout?.on('data', (chunk) => {
      said += chunk;
    });
    await until(() => said.split('\n').length === 3, 'both runs');
    const [byParent, byTerminal] = said
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const leaseOf = ({ log }: { log: string }) =>
      JSON.parse(fs.readFileSync(path.join(path.dirname(log), 'run.json'), 'utf8')).background.lease;
    expect(leaseOf(byParent)).toEqual({
      owner: identify(shell.pid ?? 0),
      whenGone: 'report',
      delayMs: 30_000,
    });
    expect(leaseOf(byTerminal)).toEqual({ owner: identify(shell.pid ?? 0), whenGone: 'stop', delayMs: 0 });
    fs.closeSync(master);
    await until(async () => (await find(byTerminal.id))?.status === 'exited', 'the end of the run');
    expect(await find(byParent.id)).toMatchObject({ status: 'running' });
  });
});

import { describe, expect, it } from 'vitest';
import type { Receipt, ReceiptEntry } from '../../../src/model/run/receipt.js';
import { MemberScan } from '../../../src/probe/linux/members/members.js';
import { createSender } from '../../../src/run/stop/send-signal.js';
import { terminate } from '../../../src/run/stop/terminate.js';
import { compile } from '../../support/compile.js';
import { patienceMs } from '../../support/patience.js';
import { isAlive, parentOf, startRun, stopAtEnd, until } from './start-run.js';

/** Longer than any of these trees needs, so that only processes that ignore the signal are killed. */
const ampleMs = patienceMs;

function entry({ processes }: Receipt, pid: number | undefined): ReceiptEntry | undefined {
  return processes.find((process) => process.pid === pid);
}

async function startCrowd(count: number, ...how: string[]) {
  const run = await startRun([await compile('tree/crowd'), String(count), ...how]);
  await until(() => run.scan.scan().length === count + 1, 'all children are there');
  return run;
}

describe('stopping a tree', () => {
  it('a tree that ends when asked is asked once and not killed', async () => {
    const { scan } = await startCrowd(3);
    const members = scan.scan();
    const receipt = await terminate({ scan, signal: 'SIGTERM', graceMs: ampleMs });
    expect(receipt.processes.map(({ pid }) => pid).sort()).toEqual(members.map(({ pid }) => pid).sort());
    for (const { signals, result } of receipt.processes) {
      expect({ signals, result }).toEqual({ signals: ['SIGTERM'], result: 'ended' });
    }
    expect(receipt.survivors).toEqual([]);
    expect(members.filter(isAlive)).toEqual([]);
  });

  it('the grace is for the whole tree: a child that needs it has it, though the leader is gone', async () => {
    const slow = "trap 'sleep 0.3; exit 0' TERM; echo ready; while :; do sleep 0.05; done";
    const { scan, leader } = await startRun(['sh', '-c', 'sh -c "$0" & wait', slow]);
    const child = scan.scan().find(({ parent, name }) => parent === leader.pid && name === 'sh');
    const receipt = await terminate({ scan, signal: 'SIGTERM', graceMs: ampleMs });
    expect(entry(receipt, leader.pid)?.signals).toEqual(['SIGTERM']);
    expect(entry(receipt, child?.pid)).toMatchObject({ signals: ['SIGTERM'], result: 'ended' });
    expect(receipt.survivors).toEqual([]);
  });

  it('a process that ignores the signal is frozen and killed after the grace', async () => {
    const { scan, leader } = await startCrowd(2, 'deaf');
    const receipt = await terminate({ scan, signal: 'SIGTERM', graceMs: 30 });
    expect(receipt.processes).toHaveLength(3);
    for (const { signals } of receipt.processes) expect(signals).toEqual(['SIGTERM', 'SIGSTOP', 'SIGKILL']);
    expect(entry(receipt, leader.pid)).toMatchObject({ because: ['leader'], result: 'ended' });
    expect(entry(receipt, leader.pid)?.command).toMatch(/crowd 2 deaf$/);
    expect(isAlive(leader)).toBe(false);
  });

  it('a process that ignores the signal at first gets it when it listens, and needs no kill', async () => {
    const script = "trap '' TERM; echo ready; sleep 0.5; trap - TERM; while :; do sleep 0.05; done";
    const { scan, leader } = await startRun(['bash', '-c', script]);
    const signalled: number[] = [];
    const receipt = await terminate({
      scan,
      signal: 'SIGTERM',
      graceMs: ampleMs,
      onSignal: ({ pid }) => signalled.push(pid),
    });
    expect(entry(receipt, leader.pid)).toMatchObject({ signals: ['SIGTERM'], result: 'ended' });
    expect(signalled.filter((pid) => pid === leader.pid)).toHaveLength(1);
  });

  it('a second signal ends the grace at once', async () => {
    const { scan } = await startCrowd(2, 'deaf');
    const hurry = new AbortController();
    const asked = new Set<number>();
    const receipt = await terminate({
      scan,
      signal: 'SIGTERM',
      graceMs: 3_600_000,
      abort: hurry.signal,
      onSignal: ({ pid }, signal) => {
        if (signal === 'SIGTERM') asked.add(pid);
        if (asked.size === 3) hurry.abort();
      },
    });
    expect(receipt.processes.map(({ signals }) => signals.at(-1))).toEqual(['SIGKILL', 'SIGKILL', 'SIGKILL']);
    expect(receipt.survivors).toEqual([]);
  });

  it('SIGKILL skips the grace', async () => {
    const { scan } = await startCrowd(2);
    const receipt = await terminate({ scan, signal: 'SIGKILL', graceMs: ampleMs });
    for (const { signals } of receipt.processes) expect(signals).toEqual(['SIGSTOP', 'SIGKILL']);
    expect(receipt.survivors).toEqual([]);
  });

  it('a stopped tree is continued, so that it gets the signal', async () => {
    const { scan } = await startCrowd(3);
    for (const { pid } of scan.scan()) process.kill(pid, 'SIGSTOP');
    await until(() => scan.scan({ fresh: 'members' }).every(({ state }) => state === 'T'), 'all are stopped');
    const receipt = await terminate({ scan, signal: 'SIGTERM', graceMs: ampleMs });
    for (const { signals } of receipt.processes) expect(signals).toEqual(['SIGTERM', 'SIGCONT']);
    expect(receipt.survivors).toEqual([]);
  });

  it('a daemon that has cut all ties is stopped with the run that saw it', async () => {
    const { scan, leader, line } = await startRun([await compile('tree/daemon')]);
    const [, child, daemon] = line.split(' ').map(Number) as [number, number, number];
    stopAtEnd(daemon);
    scan.scan();
    for (const pid of [leader.pid, child]) process.kill(pid, 'SIGKILL');
    await until(
      () => !isAlive(leader) && parentOf(daemon) !== child,
      'it has lost its parent and the leader',
    );
    const receipt = await terminate({ scan, signal: 'SIGTERM', graceMs: ampleMs });
    expect(receipt.processes).toMatchObject([{ pid: daemon, because: ['lineage'], result: 'ended' }]);
    expect(scan.scan({ fresh: true })).toEqual([]);
  });

  it('a process that ends by itself during the freeze is no error', async () => {
    const { scan, shim } = await startCrowd(4, 'deaf');
    const send = createSender(shim);
    let victim: number | null = null;
    const receipt = await terminate({
      scan,
      signal: 'SIGTERM',
      graceMs: 0,
      send: (to, signal) => {
        if (signal === 'SIGSTOP' && victim === null && to.pid !== scan.leader.pid) {
          victim = to.pid;
          process.kill(to.pid, 'SIGKILL');
          while (isAlive(to));
        }
        return send(to, signal);
      },
    });
    expect(entry(receipt, victim ?? -1)).toMatchObject({ signals: ['SIGTERM'], result: 'ended' });
    expect(receipt.survivors).toEqual([]);
  });

  it('a leader whose main thread has ended while another goes on', async () => {
    const { scan, leader } = await startRun([
      'sh',
      '-c',
      'echo ready; exec "$0"',
      await compile('zombie-leader'),
    ]);
    await until(() => scan.scan({ fresh: 'members' })[0]?.state === 'Z', 'the main thread has ended');
    const receipt = await terminate({ scan, signal: 'SIGTERM', graceMs: ampleMs });
    expect(receipt.processes).toMatchObject([{ pid: leader.pid, signals: ['SIGTERM'], result: 'ended' }]);
  });

  it('no process is signalled for a reused pid', async () => {
    const { leader, shim } = await startCrowd(1);
    const recorded = { ...leader, startTicks: leader.startTicks - 1 };
    const scan = new MemberScan({ runId: null, leader: recorded, shim });
    const receipt = await terminate({ scan, signal: 'SIGKILL', graceMs: 0 });
    expect(receipt).toMatchObject({ processes: [], survivors: [] });
    expect(isAlive(leader)).toBe(true);
  });

  it('five hundred at once', async () => {
    const { scan } = await startCrowd(500, 'deaf');
    const members = scan.scan();
    const receipt = await terminate({ scan, signal: 'SIGTERM', graceMs: 0 });
    expect(receipt.processes).toHaveLength(501);
    expect(receipt.survivors).toEqual([]);
    expect(members.filter(isAlive)).toEqual([]);
  });

  it('reports which ports the tree listened on, and that they are free now', async () => {
    const server =
      'require("net").createServer().listen(0, "127.0.0.1", function () { console.log(this.address().port) })';
    const { scan, line } = await startRun([process.execPath, '-e', server]);
    const receipt = await terminate({ scan, signal: 'SIGTERM', graceMs: ampleMs });
    expect(receipt.ports).toEqual([{ port: Number(line), free: true }]);
  });

  it('a secret in a command line is masked', async () => {
    const { scan, leader } = await startCrowd(0, '--token=hunter2');
    const receipt = await terminate({ scan, signal: 'SIGKILL', graceMs: 0 });
    expect(entry(receipt, leader.pid)?.command).toContain('--token=***');
    expect(JSON.stringify(receipt)).not.toContain('hunter2');
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { identify } from '../../../../src/probe/linux/identity/identify.js';
import { MemberScan } from '../../../../src/probe/linux/members/members.js';
import {
  isAlive,
  newRunId,
  parentOf,
  type StartedRun,
  startCanary,
  startRun,
  stateOf,
  stopAtEnd,
  until,
} from '../../../run/stop/start-run.js';
import { compile } from '../../../support/compile.js';
import { canReusePids, reaping } from '../../../support/reusable-pids.js';
import { runAs } from '../../../support/run-as.js';

/** Starts a job, waits for USR1, and ends without it. */
async function startLeaving(job: string): Promise<StartedRun & { job: number }> {
  const run = await startRun(['sh', '-c', `${job} & trap 'exit 0' USR1; echo ready $!; wait`]);
  const pid = Number(run.line.split(' ')[1]);
  stopAtEnd(pid);
  return { ...run, job: pid };
}

const sleeper = ['sh', '-c', 'echo ready; exec sleep 1000'];

function others({ scan, leader }: StartedRun) {
  return scan.scan().filter(({ pid }) => pid !== leader.pid);
}

async function endLeader({ leader }: StartedRun, signal: NodeJS.Signals = 'SIGUSR1'): Promise<void> {
  process.kill(leader.pid, signal);
  await until(() => !isAlive(leader), 'the leader has ended');
}

describe('members of a run', () => {
  it('the leader and its children, not the shim and its helpers, which have the run id too', async () => {
    const run = await startRun(['sh', '-c', 'sleep 1000 & echo ready; wait']);
    await until(() => run.scan.scan({ fresh: 'members' })[1]?.name === 'sleep', 'sleep has begun');
    const members = run.scan.scan();
    expect(members.map(({ name, because }) => [name, because])).toEqual([
      ['sh', ['leader']],
      ['sleep', ['descendant', 'group', 'session']],
    ]);
    expect(members.map(({ pid }) => pid)).not.toContain(run.shim);
    expect(run.scan.scan({ fresh: true }).map(({ pid }) => pid)).toEqual(members.map(({ pid }) => pid));
  });

  it('a later scan finds new processes and drops ended processes', async () => {
    const script = "trap 'sleep 1000 &' USR1; sleep 1000 & echo ready $!; while :; do wait; done";
    const { scan, leader, line } = await startRun(['sh', '-c', script]);
    const job = Number(line.split(' ')[1]);
    const pids = () => scan.scan().map(({ pid }) => pid);
    expect(pids()).toEqual([leader.pid, job]);
    process.kill(leader.pid, 'SIGUSR1');
    await until(() => pids().length === 3, 'a new member');
    process.kill(job, 'SIGKILL');
    await until(() => !pids().includes(job), 'one less');
    expect(pids()).toHaveLength(2);
  });

  it('a daemon without parent, session and environment is known by its lineage', async () => {
    const run = await startRun([await compile('tree/daemon')]);
    const [, child, daemon] = run.line.split(' ').map(Number) as [number, number, number];
    stopAtEnd(daemon);
    expect(others(run).map(({ pid, because }) => [pid, because])).toEqual([
      [child, ['descendant', 'group', 'session']],
      [daemon, ['descendant']],
    ]);
    await endLeader(run, 'SIGKILL');
    process.kill(child, 'SIGKILL');
    await until(() => parentOf(daemon) !== child, 'the daemon has lost its parent');
    expect(run.scan.scan({ fresh: true }).map(({ pid, because }) => [pid, because])).toEqual([
      [daemon, ['lineage']],
    ]);
    // A scan that never saw it cannot prove that it belongs here.
    const { runId, leader, shim } = run;
    expect(new MemberScan({ runId, leader, shim }).scan()).toEqual([]);
  });

  it('what outlives the leader in its group is found, seen before or not', async () => {
    // Until then it has the environment of the run.
    const isBare = (job: number) => readFileSync(`/proc/${job}/comm`, 'utf8') === 'sleep\n';
    const seen = await startLeaving('env -i sleep 1000');
    await until(() => isBare(seen.job), 'sleep has begun');
    seen.scan.scan();
    await endLeader(seen);
    const expected = (job: number) => [{ pid: job, because: ['group', 'session'] }];
    expect(seen.scan.scan({ fresh: true })).toMatchObject(expected(seen.job));

    const unseen = await startLeaving('env -i sleep 1000');
    await until(() => isBare(unseen.job), 'sleep has begun');
    await endLeader(unseen);
    expect(unseen.scan.scan()).toMatchObject(expected(unseen.job));
  });

  it('by the run id alone, in a session of its own, never seen before', async () => {
    const run = await startLeaving('setsid sleep 1000');
    const sleeps = () =>
      new MemberScan(run).scan().some(({ name, state }) => name === 'sleep' && state === 'S');
    await until(sleeps, 'sleep has begun');
    await endLeader(run);
    expect(new MemberScan(run).scan()).toMatchObject([{ name: 'sleep', because: ['run-id'] }]);
    expect(new MemberScan({ ...run, runId: newRunId() }).scan()).toEqual([]);
    expect(new MemberScan({ ...run, runId: null }).scan()).toEqual([]);
  });

  it('a run id inside another value or variable makes no member', async () => {
    const run = await startRun(sleeper);
    const near: Record<string, string>[] = [
      { X_UNSTUCK_RUN_ID: run.runId },
      { OTHER: `UNSTUCK_RUN_ID=${run.runId}` },
      { UNSTUCK_RUN_ID: `${run.runId}0` },
    ];
    const canaries = [];
    for (const env of near) canaries.push(await startCanary([await compile('tree/storm')], { env }));
    expect(run.scan.scan({ fresh: true }).map(({ pid }) => pid)).toEqual([run.leader.pid]);
    const same = await startCanary([await compile('tree/storm')], { env: { UNSTUCK_RUN_ID: run.runId } });
    expect(run.scan.scan({ fresh: true }).map(({ pid }) => pid)).toContain(same.pid);
  });

  it('the shim’s helpers stay strangers when the shim has been killed', async () => {
    const run = await startRun(sleeper);
    process.kill(run.shim, 'SIGKILL');
    await until(() => parentOf(run.shim) === null, 'the shim is gone');
    expect(new MemberScan(run).scan().map(({ pid }) => pid)).toEqual([run.leader.pid]);
  });

  it('another start time or another boot is another process', async () => {
    const run = await startRun(sleeper);
    const { shim } = run;
    const reused = { ...run.leader, startTicks: run.leader.startTicks - 1 };
    expect(new MemberScan({ runId: null, leader: reused, shim }).scan()).toEqual([]);
    for (const bootId of ['', 'c0ffee00-0000-4000-8000-000000000000']) {
      expect(new MemberScan({ runId: null, leader: { ...run.leader, bootId }, shim }).scan()).toEqual([]);
    }
    expect(new MemberScan({ runId: null, leader: run.leader, shim }).scan()).toHaveLength(1);
  });

  it.skipIf(!canReusePids)(
    'a process with a reused pid, and the session of that pid, are strangers',
    async () => {
      expect(await runAs(reaping, new URL('./members-reuse.ts', import.meta.url))).toEqual({
        atFirst: 2,
        withoutLeader: [true],
        reused: [[], []],
        reusedSession: [[], []],
      });
    },
  );

  it('a main thread that has ended while others go on is alive; a zombie is not', async () => {
    const lives = await startRun(['sh', '-c', 'echo ready; exec "$0"', await compile('zombie-leader')]);
    await until(() => lives.scan.scan({ fresh: 'members' })[0]?.state === 'Z', 'the main thread has ended');
    expect(lives.scan.scan({ fresh: true })).toMatchObject([{ pid: lives.leader.pid, ended: false }]);

    const dead = await startRun(sleeper);
    // Its parent, a shell of the shim, cannot ask for its status.
    const parent = parentOf(dead.leader.pid) ?? -1;
    process.kill(parent, 'SIGSTOP');
    await until(() => stateOf(parent) === 'T', 'it is stopped');
    process.kill(dead.leader.pid, 'SIGKILL');
    await until(() => !isAlive(dead.leader), 'a zombie');
    expect(identify(dead.leader.pid)).toEqual(dead.leader);
    expect(dead.scan.scan({ fresh: true })).toEqual([]);
  });

  it('never ourselves, even when we are below the leader', () => {
    const leader = identify(process.ppid);
    if (leader === null) throw new Error('no parent');
    const pids = new MemberScan({ runId: null, leader, shim: null }).scan().map(({ pid }) => pid);
    expect(pids).not.toContain(process.pid);
    expect(pids).not.toContain(process.ppid);
  });
});

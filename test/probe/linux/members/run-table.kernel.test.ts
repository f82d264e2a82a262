import fs from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { MemberScan } from '../../../../src/probe/linux/members/members.js';
import { RunTable } from '../../../../src/probe/linux/members/run-table.js';
import {
  isAlive,
  newRunId,
  parentOf,
  type StartedRun,
  startCanary,
  startRun,
  stopAtEnd,
  until,
} from '../../../run/stop/start-run.js';
import { compile } from '../../../support/compile.js';
import { canReusePids, reaping } from '../../../support/reusable-pids.js';
import { runAs } from '../../../support/run-as.js';

afterEach(() => {
  vi.restoreAllMocks();
});

function watchAll(runs: readonly StartedRun[]): RunTable {
  const table = new RunTable();
  for (const { runId, leader, shim } of runs) table.watch({ runId, leader, shim });
  table.refresh();
  return table;
}

const sorted = (pids: Iterable<number>) => [...pids].sort((a, b) => a - b);
const membersIn = (table: RunTable, { runId }: StartedRun) => sorted(table.membersOf(runId));
/** What killing would find. */
const scanned = (run: StartedRun) => sorted(new MemberScan(run).scan().map(({ pid }) => pid));

const sleeper = ['sh', '-c', 'echo ready; exec sleep 1000'];

describe('members of many runs', () => {
  it('each run has its own processes, as a scan of that run finds them', async () => {
    const runs = [
      await startRun(sleeper),
      await startRun(['sh', '-c', 'sleep 1000 & sleep 1000 & echo ready; wait']),
      await startRun(['sh', '-c', 'setsid sleep 1000 & echo ready; wait']),
      await startRun(['sh', '-c', '(setsid sleep 1000 & echo ready); exec sleep 1000']),
      await startRun([await compile('tree/daemon')]),
    ];
    for (const { line } of runs) for (const pid of line.split(' ').slice(1)) stopAtEnd(Number(pid));
    // While a program is being replaced, it has no environment.
    const allSleep = () =>
      runs.every((run) => new MemberScan(run).scan().every(({ state }) => state === 'S'));
    await until(
      () => runs.map((run) => scanned(run).length).join() === '1,3,2,2,3' && allSleep(),
      'everybody has become what it is',
    );
    const table = watchAll(runs);
    for (const run of runs) expect(membersIn(table, run)).toEqual(scanned(run));
  });

  it('new and ended processes are noticed at the next refresh', async () => {
    const script = "trap 'setsid sleep 1000 &' USR1; sleep 1000 & echo ready $!; while :; do wait; done";
    const run = await startRun(['sh', '-c', script]);
    const job = Number(run.line.split(' ')[1]);
    const table = watchAll([run, await startRun(sleeper)]);
    const members = () => {
      table.refresh();
      return membersIn(table, run);
    };
    expect(members()).toEqual(sorted([run.leader.pid, job]));
    process.kill(run.leader.pid, 'SIGUSR1');
    await until(() => members().length === 3, 'a new member');
    process.kill(job, 'SIGKILL');
    await until(() => !members().includes(job), 'one less');
    expect(members()).toHaveLength(2);
  });

  it('what has cut its ties stays a member once it was seen', async () => {
    const run = await startRun([await compile('tree/daemon')]);
    const [, child, daemon] = run.line.split(' ').map(Number) as [number, number, number];
    stopAtEnd(daemon);
    const table = watchAll([run]);
    process.kill(run.leader.pid, 'SIGKILL');
    process.kill(child, 'SIGKILL');
    await until(() => !isAlive(run.leader) && parentOf(daemon) !== child, 'it is alone');
    const members = () => {
      table.refresh();
      return membersIn(table, run).join();
    };
    await until(() => members() === String(daemon), 'nobody else is left');
  });

  it('processes that were seen before their run was watched', async () => {
    const table = watchAll([await startRun(sleeper)]);
    const run = await startRun(['sh', '-c', 'setsid sleep 1000 & echo ready; wait']);
    await until(() => scanned(run).length === 2, 'sleep has begun');
    table.refresh();
    table.watch(run);
    expect(membersIn(table, run)).toEqual([run.leader.pid]);
    table.refresh();
    expect(membersIn(table, run)).toEqual(scanned(run));
  });

  it('a run inside a run belongs to both', async () => {
    const outer = await startRun(sleeper);
    const inner = await startRun(['sh', '-c', 'sleep 1000 & echo ready; wait'], {
      env: { UNSTUCK_RUN_CHAIN: outer.runId },
    });
    await until(() => scanned(inner).length === 2, 'the inner one is there');
    const table = watchAll([outer, inner]);
    expect(membersIn(table, inner)).toEqual(scanned(inner));
    for (const pid of scanned(inner)) expect(membersIn(table, outer)).toContain(pid);
    expect(table.unwatch(inner.runId)).toEqual([]);
    expect(membersIn(table, outer)).toContain(inner.leader.pid);
  });

  it('does not count helpers of a killed shim, or names inside other values, as members', async () => {
    const run = await startRun(sleeper);
    await startCanary([await compile('tree/storm')], { env: { X_UNSTUCK_RUN_ID: run.runId } });
    process.kill(run.shim, 'SIGKILL');
    await until(() => parentOf(run.shim) === null, 'the shim is gone');
    expect(membersIn(watchAll([run]), run)).toEqual([run.leader.pid]);
  });

  it('another start time or another boot is another process', async () => {
    const run = await startRun(sleeper);
    const table = new RunTable();
    const [late, past] = [newRunId(), newRunId()];
    table.watch({ ...run, runId: late, leader: { ...run.leader, startTicks: run.leader.startTicks - 1 } });
    table.watch({ ...run, runId: past, leader: { ...run.leader, bootId: 'another' } });
    table.refresh();
    expect([...table.membersOf(late), ...table.membersOf(past)]).toEqual([]);
  });

  it('unwatch returns the processes of a run, and they are not read again', async () => {
    const run = await startRun(['sh', '-c', 'sleep 1000 & echo ready; wait']);
    const table = watchAll([run]);
    const members = membersIn(table, run);
    expect(members).toHaveLength(2);
    expect(sorted(table.unwatch(run.runId))).toEqual(members);
    table.refresh();
    const open = vi.spyOn(fs, 'openSync');
    table.refresh();
    const paths = open.mock.calls.map(([path]) => String(path));
    for (const pid of members) expect(paths).not.toContain(`/proc/${pid}/stat`);
    expect([...table.membersOf(run.runId)]).toEqual([]);
  });

  it.skipIf(!canReusePids)('a reused pid is noticed, in both directions', async () => {
    expect(await runAs(reaping, new URL('./run-table-reuse.ts', import.meta.url))).toEqual([
      false,
      true,
      false,
    ]);
  });
});

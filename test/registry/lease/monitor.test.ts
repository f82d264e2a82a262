import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Lease } from '../../../src/model/run/lease.js';
import { type LeasedRun, LeaseMonitor } from '../../../src/registry/lease/monitor.js';
import type { OwnerStanding } from '../../../src/registry/lease/state.js';
import { RunDirectory } from '../../../src/store/run-directory.js';
import { known } from '../../support/known.js';

let home: string;

beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-lease-'));
});

afterEach(() => fs.rmSync(home, { recursive: true, force: true }));

const owner = { bootId: 'b', pid: 7, startTicks: 8 };
const lease: Lease = { owner, whenGone: 'stop', delayMs: 1000 };

/** A run that notes what is done to it, in a directory of its own. */
function fakeRun(id: string) {
  const done: string[] = [];
  const directory = fs.existsSync(path.join(home, id))
    ? new RunDirectory(home, id)
    : RunDirectory.create(id, home);
  const run = {
    id,
    directory,
    record: { id, background: { owner: 'agent' } },
    settings: { graceMs: 5 },
    remark: null as string | null,
    warn: (message: string) => done.push(message),
    acts: {
      kill: async (requestId: string, graceMs: number) => {
        done.push(`kill ${requestId} ${graceMs}`);
        return null;
      },
    },
  } as unknown as LeasedRun;
  return { run, done };
}

/** A daemon: its clock, what it sees of owners, and its reports. */
function setUp(tell: (text: string) => void = () => {}) {
  const world = { nowMs: 0, standing: 'there' as OwnerStanding, looks: 0 };
  const watch = new LeaseMonitor((_, text) => tell(text), {
    now: () => world.nowMs,
    standingOf: () => {
      world.looks += 1;
      return world.standing;
    },
  });
  return { world, watch };
}

describe('leases of many runs', () => {
  it('an owner of many runs is read once; a failed read changes nothing; reported, then stopped', () => {
    const told: string[] = [];
    const { world, watch } = setUp((text) => told.push(text));
    const runs = ['run_000000000001', 'run_000000000002'].map(fakeRun);
    for (const { run } of runs) watch.add(run, lease);
    for (world.standing of ['there', 'unknown'] as const) watch.check();
    expect(world.looks).toBe(2);
    expect(runs.map(({ done, run }) => [done, run.remark])).toEqual([
      [[], null],
      [[], null],
    ]);
    world.standing = 'gone';
    watch.check();
    world.nowMs = 999;
    watch.check();
    const text = 'its owner is gone (pid 7): it is stopped in 1 s';
    expect(told).toEqual([text, text]);
    for (const { done, run } of runs) expect([done, run.remark]).toEqual([[text], 'its owner is gone']);
    watch.remove('run_000000000002');
    world.nowMs = 1000;
    for (let look = 0; look < 3; look++) watch.check();
    expect(runs[0]?.done.slice(1)).toEqual(['its owner is gone (pid 7): it is stopped now', 'kill lease 5']);
    expect(runs[1]?.done.slice(1)).toEqual([]);
    watch.close();
  });

  it('a report that failed is made at the next check, and only then counts', () => {
    const failures = [new Error('the disk is full')];
    const { world, watch } = setUp(() => {
      const failure = failures.pop();
      if (failure !== undefined) throw failure;
    });
    const { run, done } = fakeRun('run_000000000001');
    watch.add(run, { ...lease, whenGone: 'report' });
    world.standing = 'gone';
    for (let look = 0; look < 3; look++) watch.check();
    expect(done).toEqual(['the disk is full', 'its owner is gone (pid 7): it goes on']);
    watch.close();
  });

  it('the next daemon goes on with the delay, and checks anew', () => {
    const first = setUp();
    const before = fakeRun('run_000000000001');
    first.watch.add(before.run, lease);
    first.world.standing = 'gone';
    first.watch.check();
    first.watch.close();

    const second = setUp();
    const after = fakeRun('run_000000000001');
    second.watch.add(after.run, lease);
    expect(after.run.remark).toBe('its owner is gone');
    second.world.standing = 'gone';
    second.world.nowMs = 1000;
    second.watch.check();
    expect(after.done).toEqual(['its owner is gone (pid 7): it is stopped now', 'kill lease 5']);
    second.watch.close();

    // A file alone stops no run whose owner is there.
    const third = setUp();
    const held = fakeRun('run_000000000001');
    held.run.directory.writeWhole('lease.json', { goneAt: '1970-01-01T00:00:00.000Z' });
    third.watch.add(held.run, lease);
    third.world.nowMs = 5000;
    third.watch.check();
    expect([held.done, held.run.remark]).toEqual([[], null]);
    third.watch.close();
  });

  it('kept, and given to its heir once its owner is gone; not if it was given to another owner before', () => {
    const { world, watch } = setUp();
    const [heirless, inherited, given] = ['run_000000000001', 'run_000000000002', 'run_000000000003'].map(
      fakeRun,
    );
    const runs = [heirless, inherited, given].flatMap((fake) => fake ?? []);
    const keep = (to: string | null): Lease => ({
      ...lease,
      whenGone: 'keep',
      handOver: { from: 'agent', to },
    });
    for (const [index, { run }] of runs.entries()) watch.add(run, keep(index === 0 ? null : 'night-shift'));
    const owners = () => runs.map(({ run }) => run.record.background.owner);
    watch.check();
    expect(owners()).toEqual(['agent', 'agent', 'agent']);
    if (given !== undefined) given.run.record.background.owner = 'ops';
    world.standing = 'gone';
    for (let look = 0; look < 2; look++) watch.check();
    expect(owners()).toEqual([null, 'night-shift', 'ops']);
    const onDisk = known(inherited?.run.directory.readRecord()) as { background: { owner: string } };
    expect(onDisk.background.owner).toBe('night-shift');
    for (const { run, done } of runs) expect([run.remark, done]).toEqual([null, []]);
    watch.close();
  });
});

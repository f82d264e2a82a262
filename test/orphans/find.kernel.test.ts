import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkOrphans, findOrphans, type SetAside } from '../../src/control/orphans/orphans.js';
import type { Orphan } from '../../src/model/orphan.js';
import { describeAll } from '../../src/orphans/find.js';
import { EarlierCheck, gatherFacts } from '../../src/orphans/gather-facts.js';
import { judgeOrphans } from '../../src/orphans/judge-orphans.js';
import { identify } from '../../src/probe/linux/identity/identify.js';
import { MemberScan } from '../../src/probe/linux/members/members.js';
import { parseStat } from '../../src/probe/linux/proc/stat.js';
import { TreeSampler } from '../../src/run/health/tree-sampler.js';
import { newRunId, parentOf } from '../run/stop/start-run.js';
import { askUntil } from '../support/ask-until.js';
import { until } from '../support/background-home.js';
import { known } from '../support/known.js';
import { removeDirectory } from '../support/remove-directory.js';
import { OrphanHome } from './orphan-home.js';

const find = (home: OrphanHome): Promise<Orphan[]> =>
  findOrphans({ home: home.path, projectDir: home.project });
const pidsOf = (orphans: readonly Orphan[]) => orphans.map(({ pid }) => pid).sort((a, b) => a - b);

describe('what outlived its run', () => {
  it('an orphan is found in the session of its run, in its own session, without parents, without an environment', async () => {
    const home = new OrphanHome();
    const id = await home.run(`
      sleep 1001 & echo $! >plain
      setsid sleep 1002 & echo $! >setsid
      (setsid sh -c 'sleep 1003 & echo $! >forked' &) &
      env -i sleep 1004 & echo $! >bare
      sh -c 'env -i sleep 1005 & echo $! >child; wait' & echo $! >parent
      bash -c 'exec -a "a title of its own" sleep 1006' & echo $! >titled
      wait_for() { while [ ! -s $1 ]; do sleep 0.01; done; }
      wait_for forked; wait_for child`);
    const pids: Record<string, number> = {};
    for (const name of ['plain', 'setsid', 'forked', 'bare', 'parent', 'child', 'titled']) {
      pids[name] = await home.pid(name);
    }
    // The shells between them have ended, too.
    const all = await askUntil(
      () => find(home),
      (some) =>
        some.length === 7 &&
        some.filter(({ command }) => /^(sleep|a title of its own) 100\d$/.test(command)).length === 6,
    );
    const found = new Map(all.map((orphan) => [orphan.pid, orphan]));
    const of = (name: string) => found.get(pids[name] ?? -1);
    expect(found.size).toBe(7);
    for (const name of ['plain', 'setsid', 'forked', 'parent', 'titled']) {
      expect(of(name), name).toMatchObject({ classification: 'confirmed', run: { id } });
      expect(of(name)?.evidence, name).toContain('run-id');
      expect(of(name)?.reason).toMatch(/^its run sh .* has ended: its environment names the run/);
    }
    expect(of('bare')).toMatchObject({
      classification: 'suspected',
      evidence: ['group', 'session'],
      run: { id },
    });
    expect(of('child')).toMatchObject({ classification: 'suspected', run: { id } });
    expect(of('plain')).toMatchObject({ command: 'sleep 1001', cwd: home.project, ports: [] });
    expect(of('plain')?.residentBytes).toBeGreaterThan(0);
    // Another home has nothing to do with any of it.
    expect(await find(new OrphanHome())).toEqual([]);
  });

  it('an orphan that ends while the facts are gathered is left out, and not suspected for want of a mark', async () => {
    const home = new OrphanHome();
    await home.run('sleep 1000 & echo $! >left');
    const pid = await home.pid('left');
    /** What is listed of one look, now and later. The shim of the run may live a moment longer than the command. */
    const look = () => {
      const gathered = gatherFacts({ home: home.path, projectDirs: [], patterns: [], never: [] });
      const unmarked = [...gathered.facts.processes].map(
        ([one, facts]) => [one, { ...facts, mark: null }] as const,
      );
      const findings = judgeOrphans({ ...gathered.facts, processes: new Map(unmarked) });
      return () => describeAll(findings, gathered).map(({ orphan }) => orphan.pid);
    };
    let listed = look();
    await until(() => {
      listed = look();
      return listed().length > 0;
    }, 'it is listed');
    expect(listed()).toEqual([pid]);
    process.kill(pid, 'SIGKILL');
    await until(() => listed().length === 0, 'it has ended');
  });

  it('a running run and its shim are no orphans, also inside a run that has ended', async () => {
    const home = new OrphanHome();
    const outer = await home.run('sleep 1000 & echo $! >left');
    const left = await home.pid('left');
    await home.run('sleep 1000 & wait', { lives: true });
    const inside = { UNSTUCK_RUN_ID: outer, UNSTUCK_RUN_CHAIN: outer };
    const inner = await home.run('sleep 1000 & echo $! >inside; wait', { lives: true, env: inside });
    await home.pid('inside');
    expect(pidsOf(await find(home))).toEqual([left]);
    // Its shim bears the name of the outer run; it is killed with all it keeps, and what it kept lives on.
    const [, shim = -1] = /^(\d+)/.exec(known(home.directory(inner).readShim())) ?? [];
    process.kill(Number(shim), 'SIGKILL');
    await until(() => parentOf(Number(shim)) === null, 'the shim is gone');
    expect(pidsOf(await find(home))).toEqual([left]);
  });

  it('a repeated check remembers what lives, and finds what its end leaves', async () => {
    const home = new OrphanHome();
    const id = await home.run('sleep 1000 & echo $! >left; wait', { lives: true });
    const left = await home.pid('left');
    const earlier = new EarlierCheck();
    const check = () => checkOrphans({ home: home.path, projectDir: home.project }, earlier);
    expect(await check()).toEqual({ orphans: [], liveRuns: 1 });
    expect(earlier.marks.get(left)?.mark).toBe(id);
    const directory = home.directory(id);
    fs.renameSync(directory.file('run.json'), directory.file('hidden'));
    // Not read again while the command lives.
    expect(await check()).toEqual({ orphans: [], liveRuns: 1 });
    fs.renameSync(directory.file('hidden'), directory.file('run.json'));
    process.kill(parentOf(left) ?? -1, 'SIGKILL');
    await until(() => known(directory.readExit()) !== null, 'the run is over');
    expect((await check()).orphans).toMatchObject([{ pid: left, classification: 'confirmed', run: { id } }]);
  });

  it('a foreground run is an orphan only once its supervisor is gone', async () => {
    const home = new OrphanHome();
    const id = await home.run('sleep 1000 & echo $! >member; wait', { lives: true });
    const member = await home.pid('member');
    const directory = home.directory(id);
    const record = known(directory.readRecord()) as object;
    const us = identify(process.pid);
    directory.writeWhole('run.json', { ...record, background: null, supervisor: us });
    expect(await find(home)).toEqual([]);
    directory.writeWhole('run.json', { ...record, background: null, supervisor: { ...us, startTicks: 1 } });
    const found = await find(home);
    const leader = parseStat(Buffer.from(known(directory.readLeader())))?.pid ?? -1;
    expect(new Set(pidsOf(found))).toEqual(new Set([leader, member]));
    expect(found).toHaveLength(2);
    // Numbers begin anew: that of the member may be the lower one.
    const command = found.find(({ pid }) => pid === leader);
    expect(command).toMatchObject({ classification: 'confirmed', evidence: ['recorded', 'run-id'] });
    expect(command?.reason).toMatch(/^the supervisor of its run .* is gone: it is the command/);
    // Numbers of another boot, or of another time, prove nothing.
    const boot = '00000000-0000-4000-8000-000000000000';
    directory.writeWhole('run.json', { ...record, background: null, supervisor: { ...us, bootId: boot } });
    expect((await find(home)).map(({ evidence }) => evidence)).toEqual([['run-id'], ['run-id']]);
  });

  it('a process that was seen to leave the session is suspected when there is no other evidence', async () => {
    const home = new OrphanHome();
    const id = await home.run('setsid env -i sleep 1000 & echo $! >away; exec sleep 1000', { lives: true });
    const away = await home.pid('away');
    const directory = home.directory(id);
    const leader = identify(parseStat(Buffer.from(known(directory.readLeader())))?.pid ?? -1);
    if (leader === null) throw new Error('it is gone');
    const sampler = new TreeSampler(new MemberScan({ runId: id, leader, shim: null }), directory);
    const noted = () => fs.existsSync(directory.file('lineage'));
    // Until then it has the environment of the run.
    const isBare = () => fs.readFileSync(`/proc/${away}/comm`, 'utf8') === 'sleep\n';
    await until(() => sampler.tick().processes === 2 && noted() && isBare(), 'it was seen');
    sampler.close();
    process.kill(leader.pid, 'SIGKILL');
    await until(() => known(directory.readExit()) !== null, 'the run is over');
    expect(await find(home)).toMatchObject([
      { pid: away, classification: 'suspected', evidence: ['lineage'], run: { id } },
    ]);
    // A record of which no process lives any more is removed when it is read.
    process.kill(away, 'SIGKILL');
    await until(async () => (await find(home)).length === 0 && !noted(), 'it is gone');
  });
});

describe('records', () => {
  it('an unreadable run is set aside, a removed run proves enough, a run of another home proves nothing', async () => {
    const home = new OrphanHome();
    const [torn, gone, whole] = [
      await home.run('sleep 1000 & echo $! >torn'),
      await home.run('sleep 1000 & echo $! >gone'),
      await home.run('sleep 1000 & echo $! >whole'),
    ];
    // Before it is itself, it has no environment for a moment.
    const pids = new Map<string, number>();
    for (const name of ['torn', 'gone', 'whole']) pids.set(name, await home.pid(name));
    const living = await home.run('exec sleep 1000', { lives: true });
    for (const id of [torn, living])
      fs.writeFileSync(home.directory(id).file('run.json'), '{"version": 1, "id');
    await removeDirectory(home.directory(gone).path);
    home.start(['sleep', '1000'], { UNSTUCK_RUN_ID: gone.replace(/.$/, 'x') });
    home.start(['sleep', '1000'], { UNSTUCK_RUN_ID: newRunId(), UNSTUCK_HOME: '/nowhere' });
    const asides: SetAside[] = [];
    const options = {
      home: home.path,
      projectDir: home.project,
      onSetAside: (aside: SetAside) => asides.push(aside),
    };
    const found = new Map((await findOrphans(options)).map((orphan) => [orphan.pid, orphan]));
    expect(asides.map(({ directory }) => directory).sort()).toEqual(
      [torn, living].map((id) => home.directory(id).path).sort(),
    );
    expect(found.size).toBe(3);
    const of = (name: string) => found.get(pids.get(name) ?? -1);
    expect(of('torn')).toMatchObject({ classification: 'confirmed', run: { id: torn, label: null } });
    expect(of('gone')).toMatchObject({ classification: 'confirmed', run: { id: gone, command: null } });
    expect(of('gone')?.reason).toMatch(/^its run run_\w+ was removed/);
    expect(of('whole')).toMatchObject({ run: { id: whole, cwd: home.project } });
  });

  it('a run that is kept elsewhere, as with --log-dir, is known by its shim', async () => {
    const home = new OrphanHome();
    const elsewhere = new OrphanHome();
    const id = await elsewhere.run('sleep 1000 & echo $! >held; exec sleep 1000', {
      lives: true,
      env: { UNSTUCK_HOME: home.path },
    });
    const held = await elsewhere.pid('held');
    expect(await find(home)).toEqual([]);
    const leader = parseStat(Buffer.from(known(elsewhere.directory(id).readLeader())))?.pid ?? -1;
    process.kill(leader, 'SIGKILL');
    await until(() => known(elsewhere.directory(id).readExit()) !== null, 'the run is over');
    expect(await find(home)).toMatchObject([{ pid: held, classification: 'confirmed', run: { id } }]);
  });
});

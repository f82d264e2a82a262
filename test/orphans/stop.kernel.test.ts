import { describe, expect, it } from 'vitest';
import { findOrphans, killOrphans } from '../../src/control/orphans/orphans.js';
import type { OrphanEvent } from '../../src/model/orphan.js';
import { isAlive, startCanary } from '../run/stop/start-run.js';
import { until } from '../support/background-home.js';
import { compile } from '../support/compile.js';
import { patienceMs } from '../support/patience.js';
import { readIdentity } from '../support/read-tree.js';
import { runAs } from '../support/run-as.js';
import { OrphanHome } from './orphan-home.js';

const where = (home: OrphanHome) => ({ home: home.path, projectDir: home.project });

describe('stopping orphans', () => {
  it('stops proven orphans, suspects when forced, and nothing in a dry run', async () => {
    const home = new OrphanHome();
    await home.run(`
      sleep 1000 & echo $! >ours
      env -i sleep 1000 & echo $! >bare
      sh -c 'env -i sleep 1000 & echo $! >child; wait' & echo $! >parent
      while [ ! -s child ]; do sleep 0.01; done`);
    const [ours, bare, child, parent] = await Promise.all(
      ['ours', 'bare', 'child', 'parent'].map((name) => home.pid(name)),
    );
    const all = [ours, bare, child, parent].map((pid) => readIdentity(pid ?? -1));
    await until(async () => {
      const commands = (await findOrphans(where(home))).map(({ command }) => command);
      return commands.filter((command) => command === 'sleep 1000').length === 3;
    }, 'all have become what they are');
    const events: OrphanEvent[] = [];
    const onEvent = (event: OrphanEvent) => void events.push(event);

    const dry = await killOrphans({ ...where(home), dryRun: true, onEvent });
    expect(dry).toMatchObject({ killed: 0, skipped: 2, failed: 0, receipt: null });
    expect(dry.results.filter(({ result }) => result === 'would-kill').map(({ pid }) => pid)).toEqual(
      [ours, parent].sort((a, b) => (a ?? 0) - (b ?? 0)),
    );
    expect(all.filter(isAlive)).toHaveLength(4);
    expect(events.map(({ kind }) => kind)).toEqual(['skipped', 'skipped']);

    const tooYoung = await killOrphans({ ...where(home), olderThanMs: 3_600_000, force: true });
    expect(tooYoung).toMatchObject({ results: [], killed: 0, receipt: null, tip: null });

    const first = await killOrphans({ ...where(home), graceMs: 100, onEvent });
    expect(first).toMatchObject({ killed: 2, skipped: 2, failed: 0 });
    expect(first.tip).toBe(
      '2 not proven to belong to a run: check the list, then add --force to stop them too',
    );
    expect(first.results.find(({ pid }) => pid === bare)).toMatchObject({
      result: 'skipped',
      because: 'not proven to belong to a run',
    });
    // Numbers begin anew: the order of the two is not known.
    const ends = first.receipt?.processes.map(({ pid, result }) => [pid, result] as const);
    expect(ends).toHaveLength(2);
    expect(new Map(ends)).toEqual(
      new Map([
        [ours, 'ended'],
        [parent, 'ended'],
      ]),
    );
    expect(all.map(isAlive)).toEqual([false, true, true, false]);

    const forced = await killOrphans({ ...where(home), graceMs: 100, force: true });
    // The child without a mark has lost its parent: only the session tells of it now.
    expect(forced).toMatchObject({ killed: 2, skipped: 0, failed: 0, tip: null });
    expect(all.filter(isAlive)).toEqual([]);
    expect(await killOrphans(where(home))).toMatchObject({ results: [], killed: 0, receipt: null });
  });

  it('an orphan that forks while it is being stopped leaves no process, and a similar stranger gets no signal', async () => {
    const home = new OrphanHome();
    const storm = await compile('tree/storm');
    const canary = await startCanary([storm, '126'], { cwd: home.project, env: { UNSTUCK_RUN_ID: '' } });
    await home.run(`setsid ${storm} 126 >/dev/null & echo $! >storm`);
    await home.pid('storm');
    await until(() => home.marked().length > 20, 'it rages');
    const { receipt, results } = await killOrphans({ ...where(home), graceMs: 50 });
    expect(results.filter(({ result }) => result !== 'killed')).toEqual([]);
    expect(receipt?.processes.length).toBeGreaterThan(10);
    expect(receipt?.survivors).toEqual([]);
    expect(home.marked()).toEqual([]);
    expect(await canary.heard()).toEqual([]);
  });

  it('an orphan that ends in between counts as stopped', async () => {
    const home = new OrphanHome();
    await home.run(`
      setsid sh -c 'trap "" TERM; echo $$ >second; while :; do sleep 1000; done' & 
      while [ ! -s second ]; do sleep 0.01; done
      setsid sh -c 'trap "kill -9 $(cat second); exit" TERM; echo $$ >first; while :; do sleep 0.01; done' &
      while [ ! -s first ]; do sleep 0.01; done`);
    const both = [await home.pid('first'), await home.pid('second')].map(readIdentity);
    const { results, failed } = await killOrphans({ ...where(home), graceMs: 5000 });
    expect(failed).toBe(0);
    expect(results.every(({ result }) => result === 'killed')).toBe(true);
    expect(both.filter(isAlive)).toEqual([]);
  });

  it('500 of many runs are stopped at once, by two at the same time', async () => {
    const home = new OrphanHome();
    const crowd = 'i=0; while [ $i -lt 50 ]; do sleep 1000 & i=$((i+1)); done';
    await Promise.all(Array.from({ length: 10 }, () => home.run(crowd)));
    await until(async () => (await findOrphans(where(home))).length === 500, '500 are found');
    const reaper = new URL('./reap.program.ts', import.meta.url);
    const [here, there] = await Promise.all([
      killOrphans({ ...where(home), graceMs: 2000 }),
      runAs([], reaper, JSON.stringify({ ...where(home), graceMs: 2000 })) as ReturnType<typeof killOrphans>,
    ]);
    expect(here).toMatchObject({ killed: 500, skipped: 0, failed: 0 });
    expect(here.receipt?.tookMs).toBeLessThan(patienceMs);
    expect(there).toMatchObject({ skipped: 0, failed: 0 });
    expect(home.marked()).toEqual([]);
  });
});

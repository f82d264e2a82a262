import { readdirSync, readlinkSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Diagnosis, presets, type Thresholds, type TreeSample } from '../../../src/model/run/health.js';
import { FileHolders } from '../../../src/probe/linux/holders/file-holders.js';
import { identify } from '../../../src/probe/linux/identity/identify.js';
import { Crowd } from '../../../src/registry/monitor/crowd.js';
import type { CrowdRun } from '../../../src/registry/monitor/crowd-run.js';
import { TreeSampler } from '../../../src/run/health/tree-sampler.js';
import { startProgram } from '../../probe/start-program.js';
import { isAlive, newRunId, type StartedRun, startRun, until } from '../../run/stop/start-run.js';
import { compile } from '../../support/compile.js';
import { patienceMs } from '../../support/patience.js';
import { type VitalsAlone, vitalsAlone } from './vitals-alone.js';

const sleeper = ['sh', '-c', 'echo ready; exec sleep 1000'];
const thresholds: Thresholds = { ...presets.production, sampleMs: 100, activityMs: 1200 };

type Subject = Pick<CrowdRun, 'id' | 'leader' | 'shim'>;

const crowds: Crowd[] = [];

afterEach(() => {
  vi.restoreAllMocks();
  for (const crowd of crowds.splice(0)) crowd.close();
});

function newCrowd(): Crowd {
  const crowd = new Crowd();
  crowds.push(crowd);
  return crowd;
}

async function start(argv: readonly string[]): Promise<Subject> {
  const { runId, leader, shim } = await startRun(argv);
  return { id: runId, leader, shim };
}

/** A command with a pipe or a terminal as its input, into which nothing is written. */
async function startReading(launcher: 'in-pipe' | 'in-pty'): Promise<Subject> {
  const { line } = await startProgram([await compile(launcher), 'cat'], { line: true });
  const leader = identify(Number(line));
  if (leader === null) throw new Error('it has ended already');
  return { id: newRunId(), leader, shim: null };
}

interface Watched {
  ticks: { diagnosis: Diagnosis; sample: TreeSample }[];
  last(): { diagnosis: Diagnosis; sample: TreeSample } | undefined;
}

function watch(crowd: Crowd, subject: Subject, over: Partial<VitalsAlone> = {}): Watched {
  const ticks: Watched['ticks'] = [];
  const { leader } = subject;
  const about = {
    leader,
    thresholds,
    diagnosed: (diagnosis: Diagnosis, sample: TreeSample) => ticks.push({ diagnosis, sample }),
    ...over,
  };
  const { sampleMs } = about.thresholds;
  crowd.add({
    ...subject,
    sampleMs,
    monitor: (source, admit) => vitalsAlone({ ...about, source, admit }),
  });
  return { ticks, last: () => ticks.at(-1) };
}

describe('many runs share a sweep', () => {
  it('every run has the numbers it would have alone', async () => {
    const crowd = newCrowd();
    const scripts = [
      'sleep 1000 & echo ready; wait',
      'echo ready; exec sleep 1000',
      'echo ready; while :; do :; done',
    ];
    const runs: { run: StartedRun; watched: Watched }[] = [];
    for (const script of scripts) {
      const run = await startRun(['sh', '-c', script]);
      const { runId: id, leader, shim } = run;
      runs.push({ run, watched: watch(crowd, { id, leader, shim }) });
    }
    await until(() => runs.every(({ watched }) => watched.ticks.length >= 4), 'a few ticks');
    for (const { run, watched } of runs) {
      const numbersAlone = () => {
        const alone = new TreeSampler(run.scan);
        const { processes, threads, leaderState, openFiles, stdin, connections, residentBytes } =
          alone.tick();
        alone.close();
        return { processes, threads, leaderState, openFiles, stdin, connections, residentBytes };
      };
      // What is a shell at one tick may be another program by the next.
      await vi.waitFor(() => expect(watched.last()?.sample).toMatchObject(numbersAlone()), {
        timeout: patienceMs,
      });
    }
    const [, asleep, busy] = runs.map(
      ({ watched }) =>
        () =>
          watched.last()?.sample.cpuPercent ?? -1,
    );
    await until(() => asleep?.() === 0 && (busy?.() ?? 0) > 0, 'one that sleeps and one that computes');
  });

  it.each(['in-pipe', 'in-pty'] as const)(
    'a run that waits for input is found among others (%s)',
    async (launcher) => {
      const crowd = newCrowd();
      const silent = watch(crowd, await start(sleeper));
      const asking = watch(crowd, await startReading(launcher), { canAnswer: true });
      const stuck = watch(crowd, await startReading(launcher));
      await until(() => asking.last()?.diagnosis.needsAnswer === true, 'it needs an answer');
      expect(asking.last()?.diagnosis.verdict?.kind).toBe('needs-input');
      await until(() => stuck.last()?.diagnosis.health === 'confirmed-stuck', 'nobody will ever answer');
      expect(silent.ticks.every(({ diagnosis }) => diagnosis.health === 'healthy')).toBe(true);
    },
  );

  it('runs come and go while a tick goes on', async () => {
    const crowd = newCrowd();
    const [first, second, third] = [await start(sleeper), await start(sleeper), await start(sleeper)];
    let added: Watched | null = null;
    watch(crowd, first, {
      printed() {
        // In the middle of a tick: the second has been read, but not diagnosed of.
        crowd.remove(second.id);
        added ??= watch(crowd, third);
        return true;
      },
    });
    const removed = watch(crowd, second);
    await until(() => (added?.ticks.length ?? 0) >= 2, 'the third is watched');
    expect(removed.ticks).toEqual([]);
  });

  it('a run that ends in the middle of a tick does not affect others', async () => {
    const crowd = newCrowd();
    const [ending, staying] = [await start(sleeper), await start(sleeper)];
    const ended = watch(crowd, ending, {
      printed() {
        if (isAlive(ending.leader)) process.kill(ending.leader.pid, 'SIGKILL');
        return false;
      },
    });
    const stayed = watch(crowd, staying);
    await until(() => ended.last()?.sample.leaderState === null, 'its end is seen');
    expect(ended.last()?.sample).toMatchObject({ processes: 0, stdin: null, residentBytes: 0 });
    const before = stayed.ticks.length;
    await until(() => stayed.ticks.length > before + 1, 'the other is watched on');
    expect(stayed.last()?.sample.processes).toBe(1);
  });

  it('runs with different intervals have different ticks', async () => {
    const crowd = newCrowd();
    const often = watch(crowd, await start(sleeper));
    const seldom = watch(crowd, await start(sleeper), { thresholds: { ...thresholds, sampleMs: 800 } });
    await until(() => seldom.ticks.length >= 2, 'two ticks');
    // A tick that has not come to its end makes the next one be left out: on a busy machine many are.
    await until(() => often.ticks.length > 2 * seldom.ticks.length, 'more ticks of the other');
    expect(seldom.last()?.sample.processes).toBe(1);
  });

  it('a requested snapshot is taken at the next tick, even while the run prints', async () => {
    const crowd = newCrowd();
    const subject = await startReading('in-pipe');
    const watched = watch(crowd, subject, { printed: () => true, canAnswer: true });
    await until(() => watched.ticks.length > 0, 'a tick');
    expect(watched.last()?.diagnosis.verdict).toBeNull();
    crowd.snapshotSoon(subject.id);
    const isExplained = () =>
      watched.ticks.some(({ diagnosis }) => diagnosis.verdict?.kind === 'needs-input');
    await until(isExplained, 'a snapshot');
  });

  it('snapshots of the same tick share a search, and every run has a turn', async () => {
    const search = vi.spyOn(FileHolders.prototype, 'search');
    const crowd = newCrowd();
    const slow = { ...thresholds, sampleMs: 1000 };
    const subjects: Subject[] = [];
    for (let run = 0; run < 8; run += 1) subjects.push(await startReading('in-pipe'));
    const runs = subjects.map((subject) => watch(crowd, subject, { thresholds: slow, canAnswer: true }));
    await until(() => runs.every((run) => run.last()?.diagnosis.needsAnswer === true), 'all need an answer');
    const ticks = Math.max(...runs.map((run) => run.ticks.length));
    expect(search.mock.calls.length).toBeLessThanOrEqual(ticks);
    expect(crowd.snapshots.taken).toBeGreaterThanOrEqual(runs.length);
    expect(crowd.snapshots.spentMs).toBeGreaterThan(0);
  });

  it('nothing is left open of a run that is not watched any more', async () => {
    const crowd = newCrowd();
    const subject = await start(sleeper);
    const watched = watch(crowd, subject);
    await until(() => watched.ticks.length > 0, 'a tick');
    expect(filesOpenOf(subject.leader.pid)).toHaveLength(3);
    crowd.remove(subject.id);
    expect(filesOpenOf(subject.leader.pid)).toEqual([]);
  });
});

function filesOpenOf(pid: number): string[] {
  const links = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      // The one the list was read with.
      return '';
    }
  });
  return links.filter((link) => link.startsWith(`/proc/${pid}/`));
}

import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { presets } from '../../../src/model/run/health.js';
import { noNorms } from '../../../src/model/run/norms.js';
import { parsePlace } from '../../../src/places/parse-place.js';
import { Place } from '../../../src/places/place.js';
import { PlaceSession } from '../../../src/places/session.js';
import { localShell } from '../../../src/probe/captures.js';
import { identify } from '../../../src/probe/processes.js';
import { Vitals } from '../../../src/run/health/vitals.js';
import { PlaceSampler } from '../../../src/run/place/place-sampler.js';
import { startThere } from '../../../src/run/place/start-there.js';
import { patienceMs } from '../../support/patience.js';
import { removeDirectory } from '../../support/remove-directory.js';

const here = { kind: 'ssh', host: 'box' } as const;

/** Starts a command in a group of its own. */
function start(command: string): { pid: number; stop(): void } {
  const child = spawn('sh', ['-c', command], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  const pid = child.pid ?? -1;
  return { pid, stop: () => void process.kill(-pid, 'SIGKILL') };
}

describe('the tree of a run in another place', () => {
  const patience = { timeout: patienceMs, interval: 20 };

  test('has its processes, their names, and what they used', async () => {
    const { pid, stop } = start('sleep 1000 & while :; do :; done');
    try {
      const tree = new PlaceSampler(pid, here, localShell());
      // The shell uses some CPU before it has a child.
      const numbers = async () =>
        (await tree.fetch()) && tree.tick().cpuPercent > 0 ? tree.pids.length : 'nothing used';
      await expect.poll(numbers, patience).toBe(2);
      expect(tree.pids).toHaveLength(2);
      expect(tree.elsewhere.nameOf(pid)).toBe('sh');
      expect(tree.elsewhere.nameOf(1)).toBeNull();
    } finally {
      stop();
    }
  });

  test('a process that does not run is the same sample again, and one that has ended is gone', async () => {
    const { pid, stop } = start('sleep 1000; :');
    const tree = new PlaceSampler(pid, here, localShell());
    try {
      const isStill = async () => (await tree.fetch()) && tree.tick().processes === 2 && !tree.ran;
      await expect.poll(isStill, patience).toBe(true);
    } finally {
      stop();
    }
    const left = async () => ((await tree.fetch()) ? tree.tick().processes : -1);
    await expect.poll(left, patience).toBe(0);
  });

  test('a place that does not answer makes no tick', async () => {
    const silent = new PlaceSampler(1, here, async () => Buffer.from('garbage'));
    expect(await silent.fetch()).toBe(false);
    const broken = new PlaceSampler(1, here, () => Promise.reject(new Error('no connection')));
    expect(await broken.fetch()).toBe(false);
  });

  test('its health gets worse when it is stuck there', async () => {
    const { pid, stop } = start('cat; :');
    try {
      const leader = identify(pid);
      if (leader === null) throw new Error('no leader');
      const tree = new PlaceSampler(pid, here, localShell());
      const vitals = new Vitals({
        leader,
        source: tree,
        admit: tree.admit,
        thresholds: presets.production,
        canAnswer: false,
        norms: () => noNorms,
        readsStacks: false,
        startedMs: performance.now() - 600_000,
      });
      const verdictKind = async () =>
        (await tree.fetch()) ? (await vitals.tick(() => false, true)).verdict?.kind : 'no answer';
      await expect.poll(verdictKind, patience).toBe('needs-input');
      // A pid of the place is another process here.
      expect(vitals.diagnosis?.verdict?.next.join()).toMatch(/ssh box kill \d+/);
      // A sample may be of the moment before the shell became a cat.
      const programs = async () => {
        await verdictKind();
        return vitals.programs();
      };
      await expect.poll(programs, patience).toContainEqual({ name: 'cat', count: 1 });
    } finally {
      stop();
    }
  });
});

const hasBusybox = spawnSync('busybox', ['true']).status === 0;

/** A place with a PATH of its own. `isBusybox`: its programs are those of busybox. */
function placeWith(isBusybox: boolean): PlaceSession {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-fed-'));
  const bin = path.join(directory, 'bin');
  fs.mkdirSync(bin);
  if (isBusybox) spawnSync('busybox', ['--install', '-s', bin]);
  const env = `env PATH=${bin}:/usr/bin:/bin XDG_STATE_HOME=${directory}`;
  const session = new PlaceSession(new Place(parsePlace(`via:${env}`)));
  onTestFinished(async () => {
    await session.request('up_later up_stop run_00000000005a 1', patienceMs).catch(() => {});
    session.close();
    await removeDirectory(directory);
  });
  return session;
}

test.skipIf(!hasBusybox).each([
  ['the usual programs', false],
  ['busybox', true],
])('input that is passed on from here may still come (%s)', async (_, isBusybox) => {
  const session = placeWith(isBusybox);
  const id = 'run_00000000005a';
  const command = ['cat'];
  await startThere(session, { id, command, cwd: null, env: {}, streams: 1, input: 'pipe' });
  const pidThere = async () => Number((await session.request(`cut -d' ' -f1 "$up_home/${id}/pid"`)).text);
  await expect.poll(pidThere, { timeout: patienceMs }).toBeGreaterThan(0);
  const leader = identify(await pidThere());
  if (leader === null) throw new Error('no leader');
  const source = PlaceSampler.through(session, leader.pid);
  const vitals = new Vitals({
    ...{ leader, source, admit: source.admit, canAnswer: false, norms: () => noNorms, readsStacks: false },
    thresholds: presets.production,
    startedMs: performance.now() - 600_000,
  });
  const certainty = async () => {
    if (!(await source.fetch())) return null;
    const { verdict } = await vitals.tick(() => false, true);
    return verdict?.kind === 'needs-input' ? verdict.certainty : verdict?.reason;
  };
  await expect.poll(certainty, { timeout: patienceMs, interval: 20 }).toBe('high');
  expect(vitals.diagnosis?.verdict).toMatchObject({ relieved: true, wayOut: true });
  expect(vitals.diagnosis?.findings).toEqual([]);
  expect(vitals.diagnosis?.verdict?.reason).toBe('cat waits for input on its standard input');
});

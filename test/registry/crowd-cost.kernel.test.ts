import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { presets } from '../../src/model/run/health-presets.js';
import { identify } from '../../src/probe/linux/identity/identify.js';
import { programName } from '../../src/probe/linux/identity/program-name.js';
import { Crowd } from '../../src/registry/monitor/crowd.js';
import { newRunId, until } from '../run/stop/start-run.js';
import { fixturePath } from '../support/find-tool.js';
import { vitalsAlone } from './monitor/vitals-alone.js';

let stop = async () => {};

afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await stop();
});

/** Ways to the kernel that the sources use on every tick. */
const calls = ['openSync', 'readSync', 'readlinkSync', 'readdirSync', 'statSync'] as const;

/** Each in a session of its own; the shell that starts them waits for them all. */
const script =
  'for id; do UNSTUCK_RUN_ID=$id setsid sleep 1000 >/dev/null 2>&1 & echo $!; done; echo ready; wait';

async function startSleepers(count: number): Promise<{ id: string; pid: number }[]> {
  const ids = Array.from({ length: count }, newRunId);
  const shell = spawn('sh', ['-c', script, 'sh', ...ids], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: fixturePath, UNSTUCK_TEST_SESSION: process.env.UNSTUCK_TEST_SESSION },
  });
  let said = '';
  shell.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const ended = once(shell, 'exit');
  const pids = () =>
    said
      .split('\n')
      .filter((line) => /^\d+$/.test(line))
      .map(Number);
  stop = async () => {
    for (const pid of pids()) process.kill(pid, 'SIGKILL');
    await ended;
  };
  await until(() => said.includes('ready'), 'all are started');
  await until(() => pids().every((pid) => programName(pid) === 'sleep'), 'all sleep');
  return pids().map((pid, index) => ({ id: ids[index] ?? '', pid }));
}

/** Calls in one tick when nothing happens, after a few ticks. */
async function callsPerTick(runs: readonly { id: string; pid: number }[]): Promise<number> {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const crowd = new Crowd();
  try {
    const thresholds = presets.production;
    let diagnosed = 0;
    for (const { id, pid } of runs) {
      const leader = identify(pid);
      if (leader === null) throw new Error(`${pid} is gone`);
      crowd.add({
        id,
        leader,
        shim: null,
        sampleMs: thresholds.sampleMs,
        monitor: (source, admit) =>
          vitalsAlone({
            leader,
            source,
            admit,
            thresholds,
            // Nothing to look at: this is about the sweep alone.
            printed: () => true,
            diagnosed: () => {
              diagnosed += 1;
            },
          }),
      });
    }
    const tick = async () => {
      diagnosed = 0;
      vi.advanceTimersByTime(thresholds.sampleMs);
      await until(() => diagnosed === runs.length, 'everybody is diagnosed');
      // A tick that has not come to its end makes the next one be left out.
      for (let turn = 0; turn < 3; turn += 1) await letOthersRun();
    };
    const counts: number[] = [];
    for (let ticks = 0; ticks < 4; ticks += 1) {
      const spies = calls.map((call) => vi.spyOn(fs, call));
      await tick();
      const paths = spies.flatMap((spy) => spy.mock.calls.map(([path]) => path));
      expect(paths.filter((path) => path === '/proc')).toHaveLength(1);
      counts.push(paths.length);
      vi.restoreAllMocks();
    }
    // Others may start processes meanwhile: the calmest tick counts.
    return Math.min(...counts);
  } finally {
    crowd.close();
    vi.useRealTimers();
  }
}

it('twice the runs are twice the reads, and the list of all processes is read once', async () => {
  const runs = await startSleepers(200);
  const half = await callsPerTick(runs.slice(0, 100));
  const all = await callsPerTick(runs);
  expect(half).toBeGreaterThanOrEqual(100);
  // One each where CPUs are free, two where they are scarce; the rest is for what others started.
  expect(half).toBeLessThan(100 * 8);
  expect(all - half).toBeGreaterThan(50);
  expect(all).toBeLessThan(half * 2.5 + 100);
});

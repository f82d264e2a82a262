import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { presets } from '../../src/model/run/health.js';
import { programName } from '../../src/probe/linux/identity/command-line.js';
import { identify } from '../../src/probe/linux/identity/identify.js';
import { Crowd } from '../../src/registry/monitor/crowd.js';
import { newRunId } from '../run/stop/start-run.js';
// The other one moves a faked clock while it waits, and with it the next tick.
import { until } from '../support/background-home.js';
import { fixturePath } from '../support/find-tool.js';
import { afterThisTest } from '../support/per-test.js';
import { removeDirectory } from '../support/remove-directory.js';
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

/** A file that says how many threads want a CPU, as /proc/loadavg does. */
function writeLoad(runnable: number): string {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-load-'));
  afterThisTest(() => removeDirectory(dir));
  const file = path.join(dir, 'loadavg');
  fs.writeFileSync(file, `0.65 1.81 2.33 ${runnable}/9999 7670\n`);
  return file;
}

/** Counts the calls that are about these processes: what others start meanwhile is read, too, and does not count. */
function countCalls(
  pids: readonly number[],
  load: string,
): {
  ofRuns: () => number;
  listings: () => number;
  clear: () => void;
} {
  const dirs = new Set(pids.map((pid) => `/proc/${pid}`));
  const isOfRun = (path: unknown) => dirs.has(String(path).split('/').slice(0, 3).join('/'));
  const opened = new Map<unknown, unknown>();
  const open = fs.openSync;
  const spies = calls.map((call) => vi.spyOn(fs, call));
  vi.mocked(fs.openSync).mockImplementation((file, ...how) =>
    open(file === '/proc/loadavg' ? load : file, ...how),
  );
  const paths = () => {
    for (const spy of spies) {
      for (const [index, [path]] of spy.mock.calls.entries()) {
        const { type, value } = spy.mock.results[index] ?? {};
        if (typeof path === 'string' && type === 'return' && typeof value === 'number')
          opened.set(value, path);
      }
    }
    return spies.flatMap((spy) => spy.mock.calls.map(([path]) => opened.get(path) ?? path));
  };
  return {
    ofRuns: () => paths().filter(isOfRun).length,
    listings: () => paths().filter((path) => path === '/proc').length,
    clear: () => {
      paths();
      for (const spy of spies) spy.mockClear();
    },
  };
}

/** Calls in one tick when nothing happens, after a few ticks. */
async function callsPerTick(runs: readonly { id: string; pid: number }[], load: string): Promise<number> {
  const counted = countCalls(
    runs.map(({ pid }) => pid),
    load,
  );
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
      counted.clear();
      await tick();
      expect(counted.listings()).toBe(1);
      counts.push(counted.ofRuns());
    }
    return Math.min(...counts);
  } finally {
    crowd.close();
    vi.useRealTimers();
    vi.restoreAllMocks();
  }
}

it.each([
  ['free', false],
  ['scarce', true],
])(
  'where CPUs are %s, the calls of a tick are bounded for each run, and all processes are listed once',
  async (_, isCrowded) => {
    const load = writeLoad(isCrowded ? 9000 : 1);
    const runs = await startSleepers(200);
    const half = await callsPerTick(runs.slice(0, 100), load);
    const all = await callsPerTick(runs, load);
    const most = isCrowded ? 2 : 1.3;
    for (const [calls, count] of [
      [half, 100],
      [all, 200],
    ] as const) {
      expect(calls).toBeGreaterThanOrEqual(count);
      expect(calls).toBeLessThanOrEqual(count * most);
    }
  },
);

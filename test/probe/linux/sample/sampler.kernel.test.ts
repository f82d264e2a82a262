import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { afterEach, describe, expect, test } from 'vitest';
import type { ProcessSample } from '../../../../src/model/facts/sample.js';
import { parseStat } from '../../../../src/probe/linux/proc/stat.js';
import { Sampler } from '../../../../src/probe/linux/sample/sampler.js';
import { patienceMs } from '../../../support/patience.js';
import { canReusePids, ownPids } from '../../../support/reusable-pids.js';
import { runAs } from '../../../support/run-as.js';

const isRoot = process.getuid?.() === 0;

const children: ChildProcess[] = [];
const samplers: Sampler[] = [];

afterEach(async () => {
  for (const sampler of samplers.splice(0)) sampler.close();
  await Promise.all(children.splice(0).map(stop));
});

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

type Started = ChildProcess & { pid: number; stdin: Writable; stdout: Readable };

async function start(file: string, ...args: string[]): Promise<Started> {
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  await once(child, 'spawn');
  return child as ChildProcess as Started;
}

function follow(pid: number, options?: ConstructorParameters<typeof Sampler>[0]): Sampler {
  const sampler = new Sampler(options);
  samplers.push(sampler);
  expect(sampler.add(pid)).toBe('followed');
  return sampler;
}

function only(sampler: Sampler): ProcessSample {
  const { processes, ended, unread } = sampler.sweep();
  expect({ ended, unread, followed: processes.length }).toEqual({ ended: [], unread: [], followed: 1 });
  return processes[0] as ProcessSample;
}

/** The sleep has begun: from here on nothing of it moves. */
async function startSleeper(): Promise<Started> {
  const child = await start('sleep', '1000');
  await expect.poll(() => readFileSync(`/proc/${child.pid}/wchan`, 'utf8'), patience).toMatch(/nanosleep/);
  return child;
}

/** A sleeper that loses its parent when that is stopped. */
async function startOrphan(): Promise<{ child: Started; orphan: number }> {
  const child = await start('sh', '-c', 'sleep 1000 & echo $!; wait');
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const orphan = Number(line.toString());
  await expect.poll(() => readFileSync(`/proc/${orphan}/wchan`, 'utf8'), patience).toMatch(/nanosleep/);
  return { child, orphan };
}

const node = process.execPath;
const patience = { timeout: patienceMs };
const burn = 'for (;;);';

describe('the numbers of a tick', () => {
  test.each([
    ['kept files', {}],
    ['opened anew', { keptFilesMax: 0 }],
  ])('match the kernel (%s)', async (_, options) => {
    const { pid } = await startSleeper();
    const sample = only(follow(pid, options));
    const stat = parseStat(readFileSync(`/proc/${pid}/stat`));
    const io = readFileSync(`/proc/${pid}/io`, 'utf8');
    const [ranNs, delayedNs, runs] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ').map(Number);
    expect(sample).toEqual({
      pid,
      startTicks: stat?.startTicks,
      parent: process.pid,
      state: 'S',
      threads: 1,
      residentPages: stat?.residentPages,
      cpuTicks: (stat?.utimeTicks ?? -1) + (stat?.stimeTicks ?? -1),
      reapedCpuTicks: 0,
      mainThread: { ranNs, delayedNs, runs },
      io: {
        readChars: Number(/rchar: (\d+)/.exec(io)?.[1]),
        writeChars: Number(/wchar: (\d+)/.exec(io)?.[1]),
        readBytes: Number(/read_bytes: (\d+)/.exec(io)?.[1]),
        writeBytes: 0,
      },
    });
  });

  test('go up for a process that computes', async () => {
    const { pid } = await start(node, '-e', burn);
    const sampler = follow(pid);
    const first = only(sampler);
    await expect.poll(() => only(sampler).cpuTicks, patience).toBeGreaterThan(first.cpuTicks + 20);
    expect(only(sampler).mainThread?.ranNs).toBeGreaterThan(first.mainThread?.ranNs ?? 0);
  });

  test('go up when only another thread computes', async () => {
    const script = `new (require('node:worker_threads').Worker)('${burn}', { eval: true })`;
    const { pid } = await start(node, '-e', script);
    const sampler = follow(pid);
    const first = only(sampler);
    await expect.poll(() => only(sampler).cpuTicks, patience).toBeGreaterThan(first.cpuTicks + 20);
    expect(only(sampler).threads).toBeGreaterThan(1);
  });

  test('count the children that came and went', async () => {
    const loop = 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done';
    const { pid } = await start('sh', '-c', `while :; do (${loop}); done`);
    const sampler = follow(pid);
    await expect.poll(() => only(sampler).reapedCpuTicks, patience).toBeGreaterThan(5);
  });

  test('see what is read and written', async () => {
    const { pid } = await start('sh', '-c', 'exec cat /dev/zero >/dev/null');
    const sampler = follow(pid);
    await expect.poll(() => only(sampler).io?.readChars, patience).toBeGreaterThan(10_000_000);
    expect(only(sampler).io?.writeChars).toBeGreaterThan(10_000_000);
  });

  test.each([true, false])('are the same object while it does not run (crowded: %s)', async (crowded) => {
    const { pid } = await startSleeper();
    const sampler = follow(pid, { isCrowded: () => crowded });
    expect(new Set(Array.from({ length: 30 }, () => only(sampler))).size).toBe(1);
    const whole = follow(pid, { always: true });
    expect(new Set(Array.from({ length: 9 }, () => only(whole))).size).toBe(9);
  });

  test.each([
    ['at once where a process waits for a CPU', true, 1],
    ['within a dozen ticks elsewhere', false, 12],
  ])('show what changes without running %s', async (_, crowded, ticksMax) => {
    const { child, orphan } = await startOrphan();
    const sampler = follow(orphan, { isCrowded: () => crowded });
    await stop(child);
    const parents = Array.from({ length: ticksMax }, () => only(sampler).parent);
    process.kill(orphan, 'SIGKILL');
    expect(parents.at(-1)).not.toBe(child.pid);
  });

  test('notice a stop at once', async () => {
    const child = await start('sh', '-c', 'read line');
    const sampler = follow(child.pid);
    child.kill('SIGSTOP');
    await expect.poll(() => only(sampler).state, patience).toBe('T');
    child.kill('SIGCONT');
    await expect.poll(() => only(sampler).state, patience).toBe('S');
  });

  test.skipIf(isRoot)('have no I/O where it is not ours to read, which is not zero', () => {
    expect(only(follow(1)).io).toBeNull();
    expect(only(follow(1, { keptFilesMax: 0 })).io).toBeNull();
  });
});

describe('the end of a process', () => {
  test.each([
    ['kept files', {}],
    ['opened anew', { keptFilesMax: 0 }],
  ])('is reported once (%s)', async (_, options) => {
    const child = await startSleeper();
    const sampler = follow(child.pid, options);
    const { startTicks } = only(sampler);
    await stop(child);
    expect(sampler.sweep()).toMatchObject({ processes: [], ended: [{ pid: child.pid, startTicks }] });
    expect(sampler.sweep()).toMatchObject({ processes: [], ended: [] });
    expect(sampler.follows(child.pid ?? -1)).toBe(false);
    expect(sampler.add(child.pid)).toBe('ended');
  });

  test('gives its children another parent at once', async () => {
    const { child, orphan } = await startOrphan();
    const sampler = follow(orphan);
    sampler.add(child.pid);
    expect(sampler.sweep().processes.map(({ parent }) => parent)).toEqual([child.pid, process.pid]);
    await stop(child);
    const { processes, ended } = sampler.sweep();
    process.kill(orphan, 'SIGKILL');
    expect(ended.map(({ pid }) => pid)).toEqual([child.pid]);
    expect(processes[0]?.parent).not.toBe(child.pid);
  });

  test('a zombie has not ended yet', async () => {
    // The shell that waits for a line collects its child only afterwards.
    const child = await start('sh', '-c', 'sleep 1000 & echo $!; read line; wait; read line');
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString());
    const sampler = follow(pid);
    await expect.poll(() => readFileSync(`/proc/${child.pid}/wchan`, 'utf8'), patience).toMatch(/read|unix/);
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => only(sampler).state, patience).toBe('Z');
    child.stdin.write('\n');
    await expect.poll(() => sampler.sweep().ended.map((process) => process.pid), patience).toEqual([pid]);
  });

  test.skipIf(!canReusePids)('a stranger with the same number is never taken for it', async () => {
    expect(await runAs(ownPids, new URL('./reuse-pid.ts', import.meta.url))).toEqual({
      added: [true, true],
      sweeps: [
        { processes: 0, ended: [true] },
        { processes: 0, ended: [true] },
      ],
      addedAgain: [true, true],
      again: [1, 1],
    });
  });
});

describe('file descriptors', () => {
  test('running out of them loses no process', async () => {
    const all = { processes: 30, withIo: 30, ended: 0, unread: 0 };
    expect(
      await runAs(
        ['sh', '-c', 'ulimit -n 60; exec "$@"', 'sh'],
        new URL('./few-descriptors.ts', import.meta.url),
      ),
    ).toEqual({
      added: 30,
      first: all,
      second: all,
    });
  });

  test('no descriptor is left open', async () => {
    const { pid } = await startSleeper();
    const before = readdirSync('/proc/self/fd').length;
    const sampler = new Sampler();
    sampler.add(pid);
    sampler.add(pid);
    expect(readdirSync('/proc/self/fd')).toHaveLength(before + 3);
    sampler.remove(pid);
    expect(readdirSync('/proc/self/fd')).toHaveLength(before);
    sampler.add(pid);
    sampler.close();
    expect(readdirSync('/proc/self/fd')).toHaveLength(before);
  });
});

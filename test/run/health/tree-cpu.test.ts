import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import type { ProcessSample, Sample } from '../../../src/model/facts/sample.js';
import { treeUse } from '../../../src/run/health/tree-cpu.js';

function process(pid: number, numbers: Partial<ProcessSample> = {}): ProcessSample {
  return {
    pid,
    startTicks: pid,
    parent: 1,
    state: 'S',
    threads: 1,
    residentPages: 1,
    cpuTicks: 0,
    reapedCpuTicks: 0,
    mainThread: null,
    io: { readChars: 0, writeChars: 0, readBytes: 0, writeBytes: 0 },
    ...numbers,
  };
}

function sample(atMs: number, processes: ProcessSample[], ended: number[] = []): Sample {
  return { atMs, processes, ended: ended.map((pid) => ({ pid, startTicks: pid })), unread: [] };
}

describe('what a tree used between two samples', () => {
  it('100 is a whole core', () => {
    const before = sample(0, [process(10, { cpuTicks: 50 })]);
    const now = sample(5000, [process(10, { cpuTicks: 550 })]);
    expect(treeUse(before, now).cpuPercent).toBe(100);
  });

  it('a child that came and went in between is counted through its parent', () => {
    const before = sample(0, [process(10)]);
    const now = sample(1000, [process(10, { reapedCpuTicks: 70 })]);
    expect(treeUse(before, now).cpuPercent).toBe(70);
  });

  it('a child that was counted before is not counted twice when it ends', () => {
    const before = sample(0, [process(10), process(11, { parent: 10, cpuTicks: 1000 })]);
    const now = sample(1000, [process(10, { reapedCpuTicks: 1005 })], [11]);
    expect(treeUse(before, now).cpuPercent).toBe(5);
  });

  it('a child and a grandchild that were counted before are not counted twice when both end', () => {
    const before = sample(0, [
      process(10),
      process(11, { parent: 10, cpuTicks: 300 }),
      process(12, { parent: 11, cpuTicks: 700 }),
    ]);
    const now = sample(1000, [process(10, { reapedCpuTicks: 1005 })], [12, 11]);
    expect(treeUse(before, now).cpuPercent).toBe(5);
  });

  it('a process with a reused pid is counted anew', () => {
    const before = sample(0, [process(10, { cpuTicks: 1000 })]);
    const now = sample(1000, [process(10, { startTicks: 99, cpuTicks: 3 })]);
    expect(treeUse(before, now).cpuPercent).toBe(3);
  });

  it('counters that may not be read are unknown, not zero', () => {
    const before = sample(0, [process(10, { io: null })]);
    expect(treeUse(before, sample(1000, [process(10, { io: null })])).ioBytes).toBeNull();
  });
});

/** What happens to a tree: a process computes, forks, or ends and is reaped by its parent. */
const step = fc.record({
  who: fc.nat(),
  what: fc.constantFrom('run', 'fork', 'end', 'tick'),
  amount: fc.nat(50),
});

describe('as a property', () => {
  test.prop([fc.array(step, { maxLength: 200 })])(
    'over any history, every tick of CPU is counted exactly once',
    (steps) => {
      let next = 2;
      let used = 0;
      let counted = 0;
      let atMs = 0;
      const live = new Map<number, ProcessSample>([[1, process(1, { parent: 0 })]]);
      let before = sample(0, [...live.values()]);
      let ended: number[] = [];
      const tick = () => {
        atMs += 1000;
        const now = sample(atMs, [...live.values()], ended);
        counted += treeUse(before, now).cpuPercent;
        before = now;
        ended = [];
      };
      for (const { who, what, amount } of steps) {
        const one = [...live.values()][who % live.size] as ProcessSample;
        if (what === 'tick') tick();
        if (what === 'run') {
          used += amount;
          live.set(one.pid, { ...one, cpuTicks: one.cpuTicks + amount });
        }
        if (what === 'fork') {
          live.set(next, process(next, { parent: one.pid }));
          next += 1;
        }
        const parent = live.get(one.parent);
        const isChildless = [...live.values()].every((other) => other.parent !== one.pid);
        if (what === 'end' && parent !== undefined && isChildless) {
          live.delete(one.pid);
          ended.push(one.pid);
          const reapedCpuTicks = parent.reapedCpuTicks + one.cpuTicks + one.reapedCpuTicks;
          live.set(parent.pid, { ...parent, reapedCpuTicks });
        }
      }
      tick();
      expect(counted).toBeCloseTo(used, 6);
    },
  );
});

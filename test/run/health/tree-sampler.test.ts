import { describe, expect, it } from 'vitest';
import type { ProcessSample, Sample } from '../../../src/model/facts/sample.js';
import { TreeNumbers } from '../../../src/run/health/tree-sampler.js';

/** No process has such a number. */
const pid = 2 ** 30;

const process: ProcessSample = {
  pid,
  startTicks: 1,
  parent: 1,
  state: 'S',
  threads: 1,
  residentPages: 1,
  cpuTicks: 500,
  reapedCpuTicks: 0,
  mainThread: null,
  io: { readChars: 9000, writeChars: 0, readBytes: 0, writeBytes: 0 },
};

function sample(atMs: number, over: Partial<Sample>): Sample {
  return { atMs, processes: [], ended: [], unread: [], ...over };
}

describe('the numbers of a tree', () => {
  it('a process that cannot be read at a tick has not ended, and its CPU time is not counted again at the next tick', () => {
    const numbers = new TreeNumbers(pid);
    numbers.next(sample(0, { processes: [process] }));
    const unread = numbers.next(sample(1000, { unread: [pid] }));
    expect(unread).toMatchObject({ processes: 1, leaderState: 'S', cpuPercent: 0 });
    const later = { ...process, cpuTicks: 550 };
    const again = numbers.next(sample(2000, { processes: [later] }));
    expect(again).toMatchObject({ processes: 1, cpuPercent: 50, ioBytes: 0 });
  });

  it('a process with the same sample object did not run', () => {
    const numbers = new TreeNumbers(pid);
    numbers.next(sample(0, { processes: [process] }));
    numbers.next(sample(1000, { processes: [process] }));
    expect(numbers.ran).toBe(false);
    numbers.next(sample(2000, { processes: [{ ...process }] }));
    expect(numbers.ran).toBe(true);
    numbers.next(sample(3000, { ended: [{ pid, startTicks: 1 }] }));
    expect(numbers.ran).toBe(true);
    expect(numbers.pids).toEqual([]);
  });
});

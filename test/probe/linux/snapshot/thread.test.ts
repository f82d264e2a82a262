import { describe, expect, test } from 'vitest';
import type { ThreadFacts } from '../../../../src/model/facts/snapshot.js';
import type { Kernel, ProcessDir } from '../../../../src/probe/linux/kernel/kernel.js';
import { hasNewChild, leaderFirst } from '../../../../src/probe/linux/snapshot/thread.js';

test('the leader comes first where numbers get longer, and where they begin anew', () => {
  expect(leaderFirst([10_001, 10_002, 9998, 9999], 9998)).toEqual([9998, 9999, 10_001, 10_002]);
  expect(leaderFirst([300, 301, 32_767], 32_767)).toEqual([32_767, 300, 301]);
  expect(leaderFirst([300, 301, 32_760, 32_762, 32_763], 32_760)).toEqual([32_760, 32_762, 32_763, 300, 301]);
});

describe('a child that was not there when they were listed', () => {
  const threads = (...all: Partial<ThreadFacts>[]): ThreadFacts[] =>
    all.map((facts, index) => ({ tid: 10 + index, laterState: 'S', moved: false, ...facts }) as ThreadFacts);

  /** Reads the children of each thread; notes of which threads. */
  function kernelWith(children: Record<number, string>) {
    const asked: number[] = [];
    const dir = {
      pid: 10,
      text: (name: string) => {
        const tid = Number(/^task\/(\d+)\/children$/.exec(name)?.[1]);
        asked.push(tid);
        return children[tid] ?? '';
      },
    } as Partial<ProcessDir> as ProcessDir;
    return { asked, dir, kernel: {} as Kernel };
  }

  test('was left to the first living thread, although no thread moved', () => {
    const { asked, dir, kernel } = kernelWith({ 11: '70 ' });
    expect(hasNewChild(kernel, dir, threads({ laterState: 'Z' }, {}, {}), [])).toBe(true);
    expect(asked).toEqual([11]);
  });

  test('was made by a thread that moved, or may have moved', () => {
    const { asked, dir, kernel } = kernelWith({ 12: '70 71 ' });
    const all = threads({}, {}, { moved: true }, { moved: null });
    expect(hasNewChild(kernel, dir, all, [70])).toBe(true);
    expect(hasNewChild(kernel, dir, all, [70, 71])).toBe(false);
    expect(asked.slice(0, 3)).toEqual([10, 12, 13]);
  });
});

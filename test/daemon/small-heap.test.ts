import { afterEach, expect, test, vi } from 'vitest';
import { keepHeapSmall } from '../../src/daemon/small-heap.js';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('the heap is collected when it has grown, and then not until the cost is made up for', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const pass = (ms: number) => {
    for (let at = 0; at < ms; at += 10_000) {
      nowMs += 10_000;
      vi.advanceTimersByTime(10_000);
    }
  };
  let collected = 0;
  keepHeapSmall(() => {
    collected += 1;
    nowMs += 20;
  });
  pass(10_000);
  expect(collected).toBe(1);
  const kept = Array.from({ length: 1_000_000 }, (_, index) => `${index}`);
  // At most 1/2000 of a core: 40 s for 20 ms.
  pass(30_000);
  expect(collected).toBe(1);
  pass(20_000);
  expect([collected, kept.length]).toEqual([2, 1_000_000]);
});

test('without the flag nothing is done', () => {
  vi.useFakeTimers();
  keepHeapSmall(undefined);
  expect(vi.getTimerCount()).toBe(globalThis.gc === undefined ? 0 : 1);
});

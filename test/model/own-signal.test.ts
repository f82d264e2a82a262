import { getEventListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { onAbort, withOwnSignal } from '../../src/model/own-signal.js';

describe('a signal that many wait for', () => {
  test('has a single listener, and calls all that still wait', () => {
    const controller = new AbortController();
    const heard: number[] = [];
    const letGo = Array.from({ length: 50 }, (_, n) => onAbort(controller.signal, () => heard.push(n)));
    expect(getEventListeners(controller.signal, 'abort').length).toBe(1);
    for (const stop of letGo.slice(2)) stop();
    controller.abort();
    expect(heard).toEqual([0, 1]);
    onAbort(controller.signal, () => heard.push(99));
    expect(heard).toEqual([0, 1, 99]);
  });

  test('is followed with its reason, and no longer than the work takes', async () => {
    const controller = new AbortController();
    const works = Array.from({ length: 20 }, () =>
      withOwnSignal(controller.signal, (own) => delay(60_000, 'done', { signal: own })),
    );
    const reason = new Error('enough');
    const ended = Promise.allSettled(works);
    controller.abort(reason);
    for (const result of await ended) {
      expect(result).toMatchObject({ status: 'rejected', reason: { cause: reason } });
    }
    const late = new AbortController();
    const signal = await withOwnSignal(late.signal, async (own) => own);
    late.abort();
    expect(signal.aborted).toBe(false);
  });
});

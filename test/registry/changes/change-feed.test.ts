import { expect, test, vi } from 'vitest';
import { ChangeListeners } from '../../../src/registry/change-listeners.js';
import { ChangeFeed, type FedRun } from '../../../src/registry/changes/change-feed.js';

class FakeRun implements FedRun {
  readonly listeners = new ChangeListeners();
  status = 'running';
  signature = 'a';
  polls = 0;
  prints = false;
  losses = 0;

  constructor(readonly id: string) {}

  readonly log = {
    path: '/no/such/log',
    tail: {
      bytes: 0,
      catchUp: () => {
        this.polls += 1;
        return this.prints;
      },
    },
  };

  readLoss() {
    this.losses += 1;
  }

  onChange(changed: () => void) {
    return this.listeners.add(changed);
  }
}

const never = new AbortController().signal;
const ids = (runs: readonly FedRun[]) => runs.map(({ id }) => id);

test('a reader gets everything first, then what has changed, then what was removed', async () => {
  const runs = [new FakeRun('one'), new FakeRun('two')];
  const [one, two] = runs as [FakeRun, FakeRun];
  const feed = new ChangeFeed<FakeRun>(() => runs);
  const first = await feed.read(null, 0, never);
  expect([first.whole, ids(first.runs)]).toEqual([true, ['one', 'two']]);
  expect((await feed.read(first.cursor, 1, never)).runs).toEqual([]);

  const waiting = feed.read(first.cursor, 60_000, never);
  two.signature = 'b';
  two.listeners.notify();
  one.listeners.notify();
  const second = await waiting;
  expect([second.whole, ids(second.runs)]).toEqual([false, ['two']]);

  feed.removed(one);
  const three = new FakeRun('three');
  feed.added(three);
  const third = await feed.read(second.cursor, 60_000, never);
  expect([ids(third.runs), third.removed]).toEqual([['three'], ['one']]);
  // The first reader was slower: it gets all of that at once.
  expect(ids((await feed.read(first.cursor, 0, never)).runs)).toEqual(['two', 'three']);
  feed.close();
});

test('output is looked for only while there is a reader', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
  try {
    const run = new FakeRun('one');
    const feed = new ChangeFeed<FakeRun>(() => [run]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(run.polls).toBe(0);
    const { cursor } = await feed.read(null, 0, never);
    run.prints = true;
    run.signature = 'more output';
    const waiting = feed.read(cursor, 60_000, never);
    await vi.advanceTimersByTimeAsync(1000);
    expect(ids((await waiting).runs)).toEqual(['one']);
    await vi.advanceTimersByTimeAsync(6000);
    const { polls } = run;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(run.polls).toBe(polls);
    // A reader that comes back after that gets everything.
    expect((await feed.read(cursor, 0, never)).whole).toBe(true);
    feed.close();
  } finally {
    vi.useRealTimers();
  }
});

test('lost output is looked for when a run changes but its log does not grow, and when it falls silent', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
  try {
    const run = new FakeRun('one');
    const feed = new ChangeFeed<FakeRun>(() => [run]);
    const { cursor } = await feed.read(null, 0, never);
    run.prints = true;
    for (const signature of ['more', 'even more']) {
      run.log.tail.bytes += 1;
      run.signature = signature;
      await vi.advanceTimersByTimeAsync(900);
    }
    expect(run.losses, 'it prints').toBe(0);
    run.signature = 'another health';
    run.listeners.notify();
    expect(run.losses).toBe(1);
    run.prints = false;
    run.readLoss = () => {
      run.signature = 'output was lost';
    };
    const known = await feed.read(cursor, 0, never);
    const told = feed.read(known.cursor, 60_000, never);
    await vi.advanceTimersByTimeAsync(3000);
    expect(ids((await told).runs)).toEqual(['one']);
    feed.close();
  } finally {
    vi.useRealTimers();
  }
});

test('a reader that goes away does not wait on', async () => {
  const feed = new ChangeFeed<FakeRun>(() => []);
  const { cursor } = await feed.read(null, 0, never);
  const gone = new AbortController();
  const waiting = feed.read(cursor, 60_000, gone.signal);
  gone.abort();
  await expect(waiting).rejects.toThrow();
  feed.close();
});

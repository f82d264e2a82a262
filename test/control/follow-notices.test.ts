import { describe, expect, it } from 'vitest';
import {
  type AskNotices,
  type FollowNoticesOptions,
  followNotices,
  type GivenNotice,
} from '../../src/control/follow-notices.js';
import { sampleNotice } from '../cli/commands/sample-notices.js';

/** Notices as the daemon keeps them for one consumer. */
class FakeNotices {
  readonly asked: Parameters<AskNotices>[1][] = [];
  acknowledged = 0;
  #all: GivenNotice[] = [];
  #givenTo = 0;
  #wake = () => {};

  constructor(count: number) {
    for (let i = 0; i < count; i += 1) this.tell();
  }

  tell(): void {
    this.#all.push(sampleNotice({ seq: this.#all.length + 1 }));
    this.#wake();
  }

  ask: AskNotices = async (_, input, { signal } = {}) => {
    this.asked.push(input);
    signal?.throwIfAborted();
    this.acknowledged = Math.max(this.acknowledged, input.ack ?? 0);
    const { limit = 100, timeoutS = 0, after = 0 } = input;
    if (this.#left(after).length === 0 && timeoutS > 0) {
      await new Promise<void>((resolve, reject) => {
        this.#wake = resolve;
        signal?.addEventListener('abort', () => reject(signal.reason));
      });
    }
    const left = this.#left(after);
    const notices = left
      .slice(0, limit)
      .map((notice) => ({ ...notice, repeat: notice.seq <= this.#givenTo }));
    this.#givenTo = Math.max(this.#givenTo, notices.at(-1)?.seq ?? 0);
    return { notices, last: notices.at(-1)?.seq ?? this.acknowledged, more: left.length - notices.length };
  };

  follow(options: FollowNoticesOptions = {}) {
    return followNotices(options, this.ask);
  }

  #left(after: number): GivenNotice[] {
    return this.#all.filter(({ seq }) => seq > Math.max(after, this.acknowledged));
  }
}

describe('followNotices', () => {
  it('a notice is acknowledged when the next is requested, not before', async () => {
    const fake = new FakeNotices(3);
    const seen: [seq: number, acknowledged: number][] = [];
    for await (const { seq } of fake.follow()) {
      seen.push([seq, fake.acknowledged]);
      if (seq === 3) break;
    }
    expect(seen).toEqual([
      [1, 0],
      [2, 1],
      [3, 2],
    ]);
    expect(fake.acknowledged).toBe(2);
    // One question for all three, the others only acknowledge.
    expect(fake.asked.filter(({ limit }) => limit !== 0)).toHaveLength(1);
  });

  it('after break or an exception the current notice is given again, as a repeat', async () => {
    const fake = new FakeNotices(1);
    const failing = async () => {
      for await (const { seq } of fake.follow()) throw new Error(`cannot handle ${seq}`);
    };
    await expect(failing()).rejects.toThrow('cannot handle 1');
    expect(fake.acknowledged).toBe(0);
    for await (const { seq, repeat } of fake.follow()) {
      expect({ seq, repeat }).toEqual({ seq: 1, repeat: true });
      break;
    }
    expect(fake.acknowledged).toBe(0);
  });

  it('acknowledged on request, also after break', async () => {
    const fake = new FakeNotices(2);
    const stream = fake.follow();
    for await (const _ of stream) break;
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    expect(fake.acknowledged).toBe(0);
    await stream.acknowledge();
    expect(fake.acknowledged).toBe(1);
  });

  it('waits for what comes later', async () => {
    const fake = new FakeNotices(1);
    const seen: number[] = [];
    for await (const { seq } of fake.follow({ consumer: 'bot', task: 't' })) {
      seen.push(seq);
      if (seq === 1) setTimeout(() => fake.tell(), 5);
      else break;
    }
    expect(seen).toEqual([1, 2]);
    expect(fake.asked.every(({ consumer, task }) => consumer === 'bot' && task === 't')).toBe(true);
  });

  it('the signal ends a wait quietly; what was handled is acknowledged', async () => {
    const fake = new FakeNotices(1);
    const stop = new AbortController();
    const seen: number[] = [];
    for await (const { seq } of fake.follow({ signal: stop.signal })) {
      seen.push(seq);
      setTimeout(() => stop.abort(), 5);
    }
    expect(seen).toEqual([1]);
    expect(fake.acknowledged).toBe(1);
  });

  it('a signal in the loop gives no more, but what was asked beyond is acknowledged', async () => {
    const fake = new FakeNotices(3);
    const stop = new AbortController();
    for await (const { seq } of fake.follow({ signal: stop.signal })) {
      expect(seq).toBe(1);
      stop.abort();
    }
    expect(fake.acknowledged).toBe(1);
  });

  it('a signal that came before gives nothing and asks nothing', async () => {
    const fake = new FakeNotices(1);
    for await (const _ of fake.follow({ signal: AbortSignal.abort() })) expect.unreachable();
    expect(fake.asked).toEqual([]);
  });

  it('return() while it waits ends the wait', async () => {
    const fake = new FakeNotices(0);
    const stream = fake.follow();
    const waiting = stream.next();
    setTimeout(() => stream.return(), 5);
    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  it('manual acknowledges nothing by itself, and still goes on to newer notices', async () => {
    const fake = new FakeNotices(2);
    const stream = fake.follow({ ack: 'manual' });
    const seen: number[] = [];
    for await (const { seq } of stream) {
      seen.push(seq);
      if (seq === 2) fake.tell();
      if (seq === 3) break;
    }
    expect(seen).toEqual([1, 2, 3]);
    expect(fake.acknowledged).toBe(0);
    await stream.acknowledge(2);
    expect(fake.acknowledged).toBe(2);
  });

  it('manual also finds later notices behind unacknowledged notices', async () => {
    const fake = new FakeNotices(1);
    const stream = fake.follow({ ack: 'manual' });
    await stream.next();
    setTimeout(() => fake.tell(), 50);
    expect((await stream.next()).value?.seq).toBe(2);
    await stream.return();
  });

  it('next() called before it has answered gives each notice once', async () => {
    const fake = new FakeNotices(3);
    const stream = fake.follow();
    const results = await Promise.all([stream.next(), stream.next(), stream.next()]);
    expect(results.map(({ value }) => value?.seq)).toEqual([1, 2, 3]);
    expect(fake.asked.filter(({ limit }) => limit !== 0)).toHaveLength(1);
    await stream.return();
  });

  it('trouble is thrown once, and then it is over', async () => {
    const stream = followNotices({}, async () => {
      throw new Error('no daemon');
    });
    await expect(stream.next()).rejects.toThrow('no daemon');
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  it.each(['auto', 'manual'] as const)('more than one answer has room for: %s', async (ack) => {
    const fake = new FakeNotices(250);
    const seqs: number[] = [];
    for await (const { seq } of fake.follow({ ack })) {
      seqs.push(seq);
      if (seq === 250) break;
    }
    expect(seqs).toEqual(Array.from({ length: 250 }, (_, i) => i + 1));
  });

  it('part of them is acknowledged only by a consumer of its own', () => {
    const fake = new FakeNotices(0);
    expect(() => fake.follow({ task: 't' })).toThrow(/needs a consumer name/);
    expect(() => fake.follow({ owner: 'o' })).toThrow(/needs a consumer name/);
    expect(() => fake.follow({ task: 't', ack: 'manual' })).not.toThrow();
  });
});

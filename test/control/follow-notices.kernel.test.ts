import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FollowNoticesOptions, followNotices } from '../../src/control/follow-notices.js';
import { BackgroundHome, until } from '../support/background-home.js';

/** Less than a wait lasts that nothing ends. */
const pollMs = 120_000;

let home: BackgroundHome;
beforeEach(() => {
  home = new BackgroundHome();
});
afterEach(() => home.end());

const follow = (options: FollowNoticesOptions) =>
  followNotices(options, (name, input, more) => home.call(name, input, more));
const tell = (label: string) => home.start(['true'], { label, notify: { events: ['exit'] } });

describe('followNotices with a real daemon', () => {
  it('each end is given once though the daemon is killed meanwhile; the last end, not acknowledged, is given again', async () => {
    const seen: (string | null)[] = [];
    await tell('one');
    for await (const { label, repeat } of follow({ consumer: 'bot' })) {
      expect(repeat).toBe(false);
      seen.push(label);
      if (label === 'three') break;
      await home.killDaemon();
      await tell(label === 'one' ? 'two' : 'three');
    }
    expect(seen).toEqual(['one', 'two', 'three']);
    for await (const { label, repeat } of follow({ consumer: 'bot' })) {
      expect({ label, repeat }).toEqual({ label: 'three', repeat: true });
      break;
    }
  });

  it('the signal ends a wait at once', async () => {
    const stop = new AbortController();
    const stream = follow({ consumer: 'bot', signal: stop.signal });
    const waiting = stream.next();
    await until(() => home.daemonPid !== null, 'a daemon');
    const startedMs = performance.now();
    stop.abort();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(performance.now() - startedMs).toBeLessThan(pollMs);
  });
});

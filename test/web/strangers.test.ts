import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { Strangers } from '../../src/web/strangers.js';

class FakeSocket extends EventEmitter {
  destroyed = false;

  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.emit('close');
  }
}

test('other users of the machine get few connections, and not for long', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const strangers = new Strangers();
    const sockets = Array.from({ length: 20 }, () => new FakeSocket());
    for (const socket of sockets) strangers.add(socket as unknown as Socket);
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual(
      Array.from({ length: 20 }, (_, at) => at >= 16),
    );
    expect(strangers.has(sockets[0] as unknown as Socket)).toBe(true);
    vi.advanceTimersByTime(5000);
    expect(sockets.every(({ destroyed }) => destroyed)).toBe(true);
    const next = new FakeSocket();
    strangers.add(next as unknown as Socket);
    expect(next.destroyed).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});

import { describe, expect, it } from 'vitest';
import { fleetOperations } from '../../src/fleet/accept.js';
import { kindOf, OpenRequests, requesterOf, rooms } from '../../src/fleet/member/open-requests.js';

const request = { input: { timeoutS: 60 }, requestId: 'x' };

describe('requests of other machines', () => {
  it('what only waits has no room of what acts or looks', () => {
    expect(kindOf('wait', {})).toBe('wait');
    expect(kindOf('waitMany', { timeoutS: 0 })).toBe('look');
    expect(kindOf('wait', { timeoutS: '0' })).toBe('wait');
    for (const name of ['read', 'changes', 'notices'] as const) {
      expect(kindOf(name, { timeoutS: 1 })).toBe('wait');
      expect(kindOf(name, null)).toBe('look');
    }
    expect(kindOf('kill', { timeoutS: 60 })).toBe('act');
    expect(kindOf('start', { waitS: 60 })).toBe('act');
    expect(kindOf('list', {})).toBe('look');
    for (const name of fleetOperations) expect(rooms[kindOf(name, {})].all).toBeGreaterThan(0);
  });

  it('a requester is who has the inbox', () => {
    expect(requesterOf('_INBOX.alice.0123')).toBe('_INBOX.alice');
    expect(requesterOf('_INBOX.0123')).toBe('_INBOX');
  });

  it('one requester leaves room for others, and all together leave room for other kinds', () => {
    const open = new OpenRequests();
    const { all, each } = rooms.wait;
    const fill = (user: string) => {
      for (let count = 0; count < each; count += 1) open.take('wait', request, `_INBOX.${user}.${count}`);
    };
    fill('a');
    expect(() => open.take('wait', request, '_INBOX.a.x')).toThrow(/of this client are in progress/);
    for (let user = 1; user < all / each; user += 1) fill(`b${user}`);
    expect(() => open.take('wait', request, '_INBOX.c.x')).toThrow(`${all} waits are in progress`);
    expect(open.take('kill', request, '_INBOX.a.x').signal.aborted).toBe(false);
    const { number, signal } = open.take('list', { input: {}, requestId: 'y' }, '_INBOX.a.x');
    open.abandon(number);
    expect(signal.aborted).toBe(true);
  });
});

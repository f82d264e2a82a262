import { describe, expect, it } from 'vitest';
import { type LeaseFlags, readLease } from '../../../../src/cli/commands/start/lease.js';
import { startTicks } from '../../../../src/probe/linux/identity/identify.js';

const { pid, ppid } = process;

describe('what is typed behind unstuck start about a lease', () => {
  it('a lease is tied to no process, a given process or the caller', () => {
    expect(readLease({})).toBeUndefined();
    expect(readLease({ lease: `pid:${pid}` })).toEqual({ pid, startTicks: startTicks(pid) });
    expect(readLease({ lease: 'parent', whenGone: 'stop', leaseDelay: '2m' })).toEqual({
      pid: ppid,
      startTicks: startTicks(ppid),
      whenGone: 'stop',
      delayS: 120,
    });
  });

  it.each<[string, LeaseFlags, RegExp]>([
    ['another word', { lease: 'me' }, /^--lease is "me", which is not one of pid:PID, parent, terminal$/],
    ['no number', { lease: 'pid:' }, /^--lease is "pid:"/],
    ['no process id', { lease: 'pid:0' }, /^not a process id: "0"/],
    ['a process that does not exist', { lease: 'pid:4194304' }, /^there is no process 4194304$/],
    ['no owner', { whenGone: 'stop' }, /^--when-gone needs --lease$/],
    ['a delay without a lease', { leaseDelay: '1s' }, /^--lease-delay needs --lease$/],
    [
      'a delay without a stop',
      { lease: 'parent', leaseDelay: '1s' },
      /^--lease-delay needs --when-gone stop$/,
    ],
    ['no delay', { lease: 'parent', whenGone: 'stop', leaseDelay: '2d' }, /^--lease-delay is "2d"/],
  ])('%s is refused', (_, flags, message) => {
    expect(() => readLease(flags)).toThrow(
      expect.objectContaining({ message: expect.stringMatching(message) }),
    );
  });
});

import { describe, expect, test } from 'vitest';
import { daemonSettings } from '../../src/config/daemon-settings.js';

describe('settings of the daemon', () => {
  test('have defaults', () => {
    expect(daemonSettings({})).toEqual({
      idleMs: 60_000,
      keepMax: 64,
      keepMs: 30 * 60_000,
      diskBytesMax: 10 * 1024 ** 3,
      orphansEveryMs: 60_000,
      orphansAfterMs: 30 * 60_000,
      orphansKill: 'off',
    });
  });

  test('can all be given', () => {
    const env = {
      UNSTUCK_DAEMON_IDLE: '0',
      UNSTUCK_KEEP_RUNS: '5',
      UNSTUCK_KEEP_FOR: '2h',
      UNSTUCK_DISK_CAP: '1G',
      UNSTUCK_ORPHANS_EVERY: '0',
      UNSTUCK_ORPHANS_AFTER: '1h',
      UNSTUCK_ORPHANS_KILL: 'confirmed',
    };
    expect(daemonSettings(env)).toEqual({
      idleMs: 0,
      keepMax: 5,
      keepMs: 2 * 3_600_000,
      diskBytesMax: 1024 ** 3,
      orphansEveryMs: 0,
      orphansAfterMs: 3_600_000,
      orphansKill: 'confirmed',
    });
  });

  test.each([
    ['UNSTUCK_DAEMON_IDLE', 'soon'],
    ['UNSTUCK_KEEP_RUNS', '0'],
    ['UNSTUCK_KEEP_FOR', '-1'],
    ['UNSTUCK_DISK_CAP', 'all'],
    ['UNSTUCK_ORPHANS_EVERY', 'often'],
    ['UNSTUCK_ORPHANS_AFTER', '-1s'],
    ['UNSTUCK_ORPHANS_KILL', 'all'],
  ])('%s=%s is refused by its name', (name, value) => {
    expect(() => daemonSettings({ [name]: value })).toThrow(`${name} is "${value}"`);
  });
});

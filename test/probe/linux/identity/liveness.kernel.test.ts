import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { bootId, identify, livenessOf } from '../../../../src/probe/linux/identity/identify.js';

afterEach(() => vi.restoreAllMocks());

const ourselves = () => {
  const identity = identify(process.pid);
  if (identity === null) throw new Error('/proc does not show this process');
  return identity;
};

describe('whether a process lives', () => {
  test('it lives, it has ended, its pid was reused, it is of another boot', async () => {
    const child = spawn('sleep', ['1000'], { stdio: 'ignore' });
    const identity = identify(child.pid ?? -1);
    if (identity === null) throw new Error('it is gone');
    expect(livenessOf(identity)).toBe('alive');
    expect(livenessOf({ ...identity, startTicks: identity.startTicks + 1 })).toBe('ended');
    expect(livenessOf({ ...identity, bootId: 'another' })).toBe('ended');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(livenessOf(identity)).toBe('ended');
  });

  test('its boot is not known: only another start time proves anything', () => {
    const identity = { ...ourselves(), bootId: '' };
    expect(livenessOf(identity)).toBe('unknown');
    expect(livenessOf({ ...identity, startTicks: identity.startTicks + 1 })).toBe('ended');
  });

  test.each(['EMFILE', 'ENFILE', 'ENOMEM', 'EIO', 'EACCES', 'EINTR'])('%s proves nothing', (code) => {
    expect(bootId()).not.toBe('');
    const identity = ourselves();
    vi.spyOn(fs, 'openSync').mockImplementation(() => {
      throw Object.assign(new Error(code), { code });
    });
    expect(livenessOf(identity)).toBe('unknown');
    vi.restoreAllMocks();
    expect(livenessOf(identity)).toBe('alive');
  });
});

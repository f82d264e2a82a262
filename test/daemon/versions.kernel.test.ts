import { describe, expect, it } from 'vitest';
import { isAlive } from '../support/start-run-cli.js';
import { cliOf, makeHome, useDaemons } from './daemon-home.js';

useDaemons();

describe('the version handshake', () => {
  it('an older daemon is replaced, a newer daemon is used', async () => {
    const home = makeHome();
    const [older, newer] = await Promise.all([cliOf('1.5.0-rc.1'), cliOf('1.10.0')]);
    const first = await home.start({ cli: older });
    const second = (await home.call('echo')).json.pid;
    expect(second).not.toBe(first);
    await home.until('the older one to end', () => !isAlive(first));
    const third = (await home.call('echo', {}, { cli: newer })).json.pid;
    expect(third).not.toBe(second);
    expect((await home.call('echo')).json.pid).toBe(third);
    expect((await home.call('echo', {}, { cli: older })).json.pid).toBe(third);
    await home.until('only the newest is left', () => home.daemons.join() === String(third));
  });

  it('both versions at once: all clients get an answer, and the newer daemon stays', async () => {
    const home = makeHome();
    const newer = await cliOf('1.6.0');
    const calls = Array.from({ length: 8 }, (_, i) => home.call('echo', {}, i % 2 ? { cli: newer } : {}));
    for (const { code, stdout, stderr } of await Promise.all(calls))
      expect({ code, said: code === 0 ? '' : stdout + stderr }).toEqual({ code: 0, said: '' });
    await home.until('one daemon', () => home.daemons.length === 1);
    const { json } = await home.run(['daemon', 'status', '--json']);
    expect(json.version).toBe('1.6.0');
  });
});

import os from 'node:os';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { stateHome } from '../../src/store/state-home.js';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe('where the state lives', () => {
  it('what UNSTUCK_HOME names, then the XDG directory, then the home directory', () => {
    vi.stubEnv('HOME', '/h');
    expect(stateHome({ UNSTUCK_HOME: '/u', XDG_STATE_HOME: '/x' })).toBe('/u');
    expect(stateHome({ UNSTUCK_HOME: '', XDG_STATE_HOME: '/x' })).toBe('/x/unstuck');
    expect(stateHome({ XDG_STATE_HOME: 'relative' })).toBe('/h/.local/state/unstuck');
  });

  it.each(['', 'relative', '.'])('HOME=%j is not used; the home of the user is', (home) => {
    vi.stubEnv('HOME', home);
    vi.spyOn(os, 'userInfo').mockReturnValue({ ...os.userInfo(), homedir: '/of/the/user' });
    expect(stateHome({})).toBe('/of/the/user/.local/state/unstuck');
  });

  it('a user without a home gets an error with what to set', () => {
    vi.stubEnv('HOME', '');
    vi.spyOn(os, 'userInfo').mockImplementation(() => {
      throw new Error('ENOENT');
    });
    expect(() => stateHome({})).toThrow(
      expect.objectContaining({ code: 'cannot-write', hint: expect.stringContaining('UNSTUCK_HOME') }),
    );
  });
});

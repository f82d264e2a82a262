import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { privateHome } from '../../src/store/state-home.js';

let base: string;
const open = (name: string) => privateHome({ UNSTUCK_HOME: join(base, name) });
const mode = (name: string) => statSync(join(base, name)).mode & 0o777;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'unstuck-home-'));
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

describe('the state home', () => {
  it('is made with its parents, for us alone', () => {
    expect(open('a/b')).toBe(join(base, 'a/b'));
    expect([mode('a'), mode('a/b')]).toEqual([0o700, 0o700]);
  });

  it('may be a link', () => {
    mkdirSync(join(base, 'real'), { mode: 0o700 });
    symlinkSync('real', join(base, 'link'));
    expect(open('link')).toBe(join(base, 'link'));
  });

  it('is closed to others when nothing but ours is in it', () => {
    mkdirSync(join(base, 'home'));
    chmodSync(join(base, 'home'), 0o777);
    mkdirSync(join(base, 'home/runs'));
    writeFileSync(join(base, 'home/daemon.log'), '');
    open('home');
    expect(mode('home')).toBe(0o700);
  });

  it('is never a directory that others use, and that stays as it is', () => {
    mkdirSync(join(base, 'home/theirs'), { recursive: true });
    chmodSync(join(base, 'home'), 0o755);
    open('home');
    expect(mode('home')).toBe(0o755);
    chmodSync(join(base, 'home'), 0o777);
    expect(() => open('home')).toThrow(expect.objectContaining({ code: 'not-yours' }));
    expect(mode('home')).toBe(0o777);
  });

  it.runIf(process.getuid?.() !== 0)('of another user is refused', () => {
    expect(() => privateHome({ UNSTUCK_HOME: '/' })).toThrow(
      expect.objectContaining({ code: 'not-yours', message: expect.stringContaining('uid 0') }),
    );
  });

  it('that cannot be written to is refused with what to do', () => {
    writeFileSync(join(base, 'file'), '');
    const refused = expect.objectContaining({
      code: 'cannot-write',
      hint: 'set UNSTUCK_HOME to a directory that you may write to',
    });
    expect(() => open('file')).toThrow(refused);
    expect(() => open('file/below')).toThrow(refused);
    expect(() => privateHome({ UNSTUCK_HOME: '/proc/self/unstuck' })).toThrow(refused);
  });

  it.runIf(process.getuid?.() === 0)('a home with runs of another user in it is refused', () => {
    mkdirSync(join(base, 'home/runs'), { recursive: true, mode: 0o700 });
    chownSync(join(base, 'home/runs'), 65_534, 65_534);
    expect(() => open('home')).toThrow(
      expect.objectContaining({ code: 'not-yours', message: expect.stringContaining('home/runs') }),
    );
  });

  it.runIf(process.getuid?.() !== 0)('read-only is refused', () => {
    mkdirSync(join(base, 'home'), { mode: 0o500 });
    expect(() => open('home')).toThrow(expect.objectContaining({ code: 'cannot-write' }));
  });
});

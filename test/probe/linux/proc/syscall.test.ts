import { existsSync, readFileSync } from 'node:fs';
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { callShapes } from '../../../../src/model/facts/calls.js';
import { parseSyscall, resumedName, syscallNames } from '../../../../src/probe/linux/proc/syscall.js';

/** Read off running programs (docs of the kernel evidence), not off the table under test. */
const seen: Record<string, Record<number, string>> = {
  x64: {
    0: 'read',
    1: 'write',
    7: 'poll',
    23: 'select',
    34: 'pause',
    42: 'connect',
    43: 'accept',
    45: 'recvfrom',
    47: 'recvmsg',
    58: 'vfork',
    61: 'wait4',
    72: 'fcntl',
    73: 'flock',
    128: 'rt_sigtimedwait',
    130: 'rt_sigsuspend',
    202: 'futex',
    219: 'restart_syscall',
    230: 'clock_nanosleep',
    232: 'epoll_wait',
    247: 'waitid',
    257: 'openat',
    270: 'pselect6',
    271: 'ppoll',
    281: 'epoll_pwait',
    288: 'accept4',
    332: 'statx',
    426: 'io_uring_enter',
    441: 'epoll_pwait2',
  },
  arm64: {
    22: 'epoll_pwait',
    25: 'fcntl',
    32: 'flock',
    56: 'openat',
    63: 'read',
    64: 'write',
    72: 'pselect6',
    73: 'ppoll',
    95: 'waitid',
    98: 'futex',
    115: 'clock_nanosleep',
    128: 'restart_syscall',
    202: 'accept',
    203: 'connect',
    207: 'recvfrom',
    212: 'recvmsg',
    242: 'accept4',
    260: 'wait4',
    426: 'io_uring_enter',
  },
};

describe('names of system calls', () => {
  for (const [arch, calls] of Object.entries(seen)) {
    test(`${arch}: what was seen on running programs`, () => {
      const names = syscallNames(arch);
      for (const [number, name] of Object.entries(calls))
        expect([number, names?.get(Number(number))]).toEqual([number, name]);
    });
  }

  test('riscv64 counts like arm64; an unknown machine has no names', () => {
    expect(syscallNames('riscv64')?.get(98)).toBe('futex');
    expect(syscallNames('s390x')).toBeNull();
  });

  test.each(['x64', 'arm64'])('%s: no name twice', (arch) => {
    const names = [...(syscallNames(arch)?.values() ?? [])];
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  test('every call with known arguments exists on x64 or arm64', () => {
    const known = new Set(['x64', 'arm64'].flatMap((arch) => [...(syscallNames(arch)?.values() ?? [])]));
    expect(Object.keys(callShapes).filter((name) => !known.has(name))).toEqual([]);
  });

  const headers: [arch: string, file: string][] = [
    ['x64', '/usr/include/x86_64-linux-gnu/asm/unistd_64.h'],
    ['arm64', '/usr/include/asm-generic/unistd.h'],
  ];
  for (const [arch, file] of headers) {
    test.skipIf(!existsSync(file))(`${arch}: the kernel's own header says the same`, () => {
      const names = syscallNames(arch);
      const wrong: string[] = [];
      for (const [, raw = '', number] of readFileSync(file, 'utf8').matchAll(
        /^#define __NR(?:3264)?_(\w+) (\d+)$/gm,
      )) {
        const name = raw === 'fstatat' ? 'newfstatat' : raw;
        const ours = names?.get(Number(number));
        // asm-generic lists the numbers kept free for machines, and 32-bit twins with a suffix of their own.
        const own = ['arch_specific_syscall', 'syscalls', 'umount', 'sync_file_range2'].includes(name);
        if (!own && !name.endsWith('64') && !/_time(64)?$/.test(name) && ours !== name)
          wrong.push(`${number} ${name}: ${ours}`);
      }
      expect(wrong).toEqual([]);
    });
  }
});

describe('/proc/TID/syscall', () => {
  test('a call with its six arguments', () => {
    const line = '202 0x7f10 0x80 0x2 0x0 0xffffffffffffffff 0x1 0x7ffd00 0x7f1e00';
    expect(parseSyscall(`${line}\n`)).toEqual({
      at: 'call',
      number: 202,
      args: [0x7f10n, 0x80n, 2n, 0n, 0xffffffffffffffffn, 1n],
      line,
    });
  });

  test('running, outside of a call, a zombie', () => {
    expect(parseSyscall('running\n')).toEqual({ at: 'running' });
    expect(parseSyscall('-1 0x7ffd00 0x7f1e00\n')).toEqual({ at: 'outside' });
    expect(parseSyscall('-1 0x0 0x0\n')).toEqual({ at: 'outside' });
  });

  test.each([
    '',
    '\n',
    'x',
    '0',
    '0 0x1',
    '0 1 2 3 4 5 6 7 8',
    '0 0xg 0x0 0x0 0x0 0x0 0x0',
    '1.5 0x0 0x0 0x0 0x0 0x0 0x0',
  ])('%j is nothing we know', (text) => {
    expect(parseSyscall(text)).toBeNull();
  });

  property.prop([fc.string()])('any text is read without an error', (text) => {
    expect(() => parseSyscall(text)).not.toThrow();
  });
});

describe('a resumed call is named by its arguments', () => {
  test.each([
    ['clock_nanosleep', [0n, 1n, 0x7ffd0010n, 0x7ffd0020n]],
    ['clock_nanosleep', [1n, 0n, 0x7ffd0010n, 0x7ffd0010n]],
    ['nanosleep', [0x7ffd0010n, 0x7ffd0020n]],
    ['nanosleep', [0x7ffd0010n, 0n]],
    ['futex', [0x7f1e0010n, 0x80n, 0n, 0x7ffd0010n]],
    ['futex', [0x7f1e0010n, 0x189n, 0n, 0x7ffd0010n]],
    ['poll', [0x7ffd0010n, 3n, 5000n, 0n]],
  ] as const)('%s', (name, args) => {
    expect(resumedName(args)).toBe(name);
  });
});

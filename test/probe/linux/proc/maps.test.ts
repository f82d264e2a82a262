import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { parseLocks } from '../../../../src/probe/linux/holders/lock-holders.js';
import { mapsShared, sharedMappingAt, unnamedFileOf } from '../../../../src/probe/linux/proc/maps.js';

const maps = `55d0c0a00000-55d0c0a21000 r-xp 00000000 fe:00 2146322                    /usr/bin/python3.11
7f1e5c000000-7f1e5c001000 rw-s 00000000 00:17 3                          /dev/shm/sem.x (deleted)
7f1e5c100000-7f1e5c101000 rw-s 00000000 fe:00 77                         /srv/a (deleted) file
7f1e5d000000-7f1e5d001000 rw-p 00000000 00:17 4                          /dev/shm/private
7f1e5e000000-7f1e5e002000 rw-s 00000000 00:01 1042                       /dev/zero (deleted)
7f1e5e003000-7f1e5e004000 rw-s 00000000 00:01 1043                       /memfd:two words (deleted)
7f1e5e004000-7f1e5e005000 rw-s 00000000 00:01 65591                      /SYSV00001092 (deleted)
7f1e5e005000-7f1e5e006000 rw-s 00000000 00:01 1044                       /SYSV of a user (deleted)
7ffd2f5c1000-7ffd2f5e2000 rw-p 00000000 00:00 0                          [stack]
ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0                  [vsyscall]
`;

describe('maps: what a shared futex lies in', () => {
  test.each([
    [0x7f1e5c000000n, '00:17:3 /dev/shm/sem.x deleted'],
    [0x7f1e5c000fffn, '00:17:3 /dev/shm/sem.x deleted'],
    [0x7f1e5c100000n, 'fe:00:77'],
    [0x7f1e5c001000n, null],
    [0x7f1e5d000010n, null],
    [0x7f1e5e001000n, '00:01:1042 /dev/zero deleted'],
    [0x7f1e5e003000n, '00:01:1043 /memfd:two words deleted'],
    [0x7f1e5e004000n, '00:01:65591'],
    [0x7f1e5e005000n, '00:01:1044 /SYSV of a user deleted'],
    [0x7ffd2f5c1000n, null],
    [0xffffffffff600000n, null],
    [0n, null],
  ])('%s', (address, mapping) => {
    expect(sharedMappingAt(maps, address, () => false)).toBe(mapping);
  });

  test('distinguishes a file without any name from a removed file', () => {
    const asked: unknown[] = [];
    const mapping = sharedMappingAt(maps, 0x7f1e5c000000n, (file) => asked.push(file) > 0);
    expect(mapping).toBe('00:17:3 /dev/shm/sem.x nameless');
    expect(asked).toEqual([
      { range: '7f1e5c000000-7f1e5c001000', device: '00:17', inode: '3', path: '/dev/shm/sem.x' },
    ]);
    expect(unnamedFileOf('00:17:3 /dev/shm/sem.x nameless')).toBe('/dev/shm/sem.x (deleted)');
  });

  test('a process that maps it shared could wake the waiter; a private mapping could not', () => {
    expect(mapsShared(maps, '00:17:3')).toBe(true);
    expect(mapsShared(maps, '00:17:3 /dev/shm/sem.x deleted')).toBe(true);
    expect(mapsShared(maps, '00:01:1042')).toBe(true);
    expect(mapsShared(maps, '00:17:4')).toBe(false);
    expect(mapsShared(maps, '00:17:33')).toBe(false);
    expect(mapsShared('', '00:17:3')).toBe(false);
  });

  test('a mapped file without a name has the path that its open file shows, other mappings have none', () => {
    expect(unnamedFileOf('00:01:1043 /memfd:two words deleted')).toBe('/memfd:two words (deleted)');
    expect(unnamedFileOf('00:01:65591')).toBe(null);
    expect(unnamedFileOf('00:17:3 deleted')).toBe(null);
  });

  property.prop([fc.string(), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })])(
    'any text is read without an error',
    (text, address) => {
      expect(() => sharedMappingAt(text, address, () => true)).not.toThrow();
      expect(() => mapsShared(text, text)).not.toThrow();
    },
  );
});

describe('/proc/locks', () => {
  test('holders, waiters, and waiters behind waiters', () => {
    const text = `1: FLOCK  ADVISORY  WRITE 12413 fe:00:2146322 0 EOF
1: -> FLOCK  ADVISORY  WRITE 12416 fe:00:2146322 0 EOF
1:  -> FLOCK  ADVISORY  WRITE 12417 fe:00:2146322 0 EOF
1:   -> FLOCK  ADVISORY  READ  12418 fe:00:2146322 0 EOF
2: POSIX  ADVISORY  READ  992 00:18:588 128 128
3: OFDLCK ADVISORY  WRITE -1 00:18:590 0 EOF
4: LEASE  ACTIVE    READ  77 fe:00:9 0 EOF
`;
    expect(parseLocks(text).map(({ id, type, mode, pid, held }) => [id, type, mode, pid, held])).toEqual([
      [1, 'FLOCK', 'WRITE', 12413, true],
      [1, 'FLOCK', 'WRITE', 12416, false],
      [1, 'FLOCK', 'WRITE', 12417, false],
      [1, 'FLOCK', 'READ', 12418, false],
      [2, 'POSIX', 'READ', 992, true],
      [3, 'OFDLCK', 'WRITE', -1, true],
      [4, 'LEASE', 'READ', 77, true],
    ]);
    expect(new Set(parseLocks(text).map(({ file }) => file)).size).toBe(4);
  });

  property.prop([fc.array(fc.oneof(fc.constantFrom('1: ', '-> ', 'FLOCK ', ' ', '\n', '7 '), fc.string()))])(
    'any text gives locks that JSON can hold',
    (parts) => {
      const locks = parseLocks(parts.join(''));
      expect(JSON.parse(JSON.stringify(locks))).toEqual(locks);
    },
  );
});

import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { addressesIn, parseFailedAttempts } from '../../../src/probe/stacks/dialled.js';

function sockaddr(family: number, port: number, address: number[]): Buffer {
  const head = Buffer.alloc(family === 10 ? 8 : 4);
  head.writeUInt16LE(family, 0);
  head.writeUInt16BE(port, 2);
  return Buffer.concat([head, Buffer.from(address)]);
}

const mapped = [...Array(10).fill(0), 255, 255];

describe('addresses in a piece of memory', () => {
  it.each([
    ['IPv4', sockaddr(2, 5432, [127, 0, 0, 1]), ['127.0.0.1:5432']],
    ['IPv4 of the name of the machine', sockaddr(2, 80, [127, 0, 1, 1]), ['127.0.1.1:80']],
    ['IPv6', sockaddr(10, 5432, [...Array(15).fill(0), 1]), ['[::1]:5432']],
    ['IPv4 inside IPv6', sockaddr(10, 5432, [...mapped, 127, 0, 0, 1]), ['127.0.0.1:5432']],
    ['no port', sockaddr(2, 0, [127, 0, 0, 1]), []],
    ['another machine', sockaddr(2, 443, [10, 0, 0, 7]), []],
    ['another machine in IPv6', sockaddr(10, 443, [...mapped, 10, 0, 0, 7]), []],
    ['half of an address', sockaddr(10, 443, [0, 0]), []],
  ])('%s', (_, bytes, expected) => {
    expect(addressesIn(bytes)).toEqual(expected);
  });

  const words = fc.uint8Array({ maxLength: 64 }).map((bytes) => bytes.subarray(0, bytes.length & ~3));
  test.prop([words, words, fc.integer({ min: 1, max: 65_535 })])(
    'an address is found wherever it lies',
    (before, after, port) => {
      const bytes = Buffer.concat([before, sockaddr(2, port, [127, 0, 0, 1]), after]);
      expect(addressesIn(bytes)).toContain(`127.0.0.1:${port}`);
    },
  );

  test.prop([fc.uint8Array({ maxLength: 200 })])(
    'in any bytes only addresses of this machine are found',
    (bytes) => {
      for (const address of addressesIn(Buffer.from(bytes))) expect(address).toMatch(/^(127\.0\.|\[::1\])/);
    },
  );
});

describe('failed attempts to connect', () => {
  const text = 'Ip: Forwarding\nIp: 1\nTcp: RtoMin ActiveOpens AttemptFails\nTcp: 200 17 5\n';
  it.each([
    ['as the kernel counts them', text, 5],
    ['not counted', 'Tcp: RtoMin\nTcp: 200\n', null],
    ['no number', 'Tcp: AttemptFails\nTcp: many\n', null],
    ['an empty file', '', null],
  ])('%s', (_, file, expected) => {
    expect(parseFailedAttempts(file)).toBe(expected);
  });
});

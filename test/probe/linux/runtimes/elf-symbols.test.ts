import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fc, test as property } from '@fast-check/vitest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSymbols } from '../../../../src/probe/linux/runtimes/elf-symbols.js';

let dir = '';
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'unstuck-elf-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

interface Made {
  name: string;
  value: bigint;
  /** Binding in the high, type in the low half; a global object if not given. */
  info?: number;
  section?: number;
}

const localObject = 0x01;
const globalObject = 0x11;
const globalThreadLocal = 0x16;

/** The strings of a file: a name that ends another one is stored inside of it, as linkers do. */
function stringsOf(symbols: Made[]): { bytes: Buffer; at(name: string): number } {
  let text = '\0';
  for (const { name } of [...symbols].sort((a, b) => b.name.length - a.name.length)) {
    if (!text.includes(`${name}\0`)) text += `${name}\0`;
  }
  return { bytes: Buffer.from(text), at: (name) => text.indexOf(`${name}\0`) };
}

function section(type: number, offset: number, size: number, link: number): Buffer {
  const bytes = Buffer.alloc(64);
  bytes.writeUInt32LE(type, 4);
  bytes.writeBigUInt64LE(BigInt(offset), 24);
  bytes.writeBigUInt64LE(BigInt(size), 32);
  bytes.writeUInt32LE(link, 40);
  return bytes;
}

/** An ELF file of nothing but one table of symbols (2: full, 11: dynamic) and its strings. */
function elf(symbols: Made[], type: 2 | 11): Buffer {
  const strings = stringsOf(symbols);
  const rows = symbols.map(({ name, value, info = globalObject, section: index = 5 }) => {
    const row = Buffer.alloc(24);
    row.writeUInt32LE(strings.at(name), 0);
    row.writeUInt8(info, 4);
    row.writeUInt16LE(index, 6);
    row.writeBigUInt64LE(value, 8);
    return row;
  });
  const table = Buffer.concat(rows);
  const header = Buffer.alloc(64);
  header.write('\x7fELF\x02\x01\x01', 'latin1');
  header.writeBigUInt64LE(BigInt(64 + table.length + strings.bytes.length), 40);
  header.writeUInt16LE(64, 58);
  header.writeUInt16LE(3, 60);
  const sections = [
    section(0, 0, 0, 0),
    section(type, 64, table.length, 2),
    section(3, 64 + table.length, strings.bytes.length, 0),
  ];
  return Buffer.concat([header, table, strings.bytes, ...sections]);
}

function read(bytes: Uint8Array, names: string[], table: 'full' | 'dynamic' = 'full') {
  const path = join(dir, 'file');
  writeFileSync(path, bytes);
  return readSymbols(path, names, table);
}

const symbols: Made[] = [
  { name: 'main.main', value: 0x1000n },
  { name: 'runtime.allgs', value: 0x2000n },
  { name: 'allgs', value: 0x3000n },
  { name: 'imported', value: 0n, section: 0 },
  { name: 'twice', value: 0x4000n, info: localObject },
  { name: 'twice', value: 0x5000n },
  { name: 'twice', value: 0x6000n, info: localObject },
  { name: 'perThread', value: 0x10n, info: globalThreadLocal },
  { name: 'beyond', value: 0xffff_ffff_ffff_ffffn },
];
const whole = elf(symbols, 2);

describe('symbols of an ELF file', () => {
  test('the requested and defined symbols, also at the end of a longer name', () => {
    expect(read(whole, ['runtime.allgs', 'allgs', 'main', 'imported', 'nobody'])).toEqual(
      new Map([
        ['runtime.allgs', 0x2000],
        ['allgs', 0x3000],
      ]),
    );
  });

  test('of several symbols the global symbol; no address, no symbol', () => {
    expect(read(whole, ['twice', 'perThread', 'beyond'])).toEqual(new Map([['twice', 0x5000]]));
  });

  test('null without that table, and of what is no such file', () => {
    expect(read(whole, ['allgs'], 'dynamic')).toBeNull();
    expect(read(elf(symbols, 11), ['allgs'], 'dynamic')).toEqual(new Map([['allgs', 0x3000]]));
    expect(read(Buffer.from('#!/bin/sh\n'), ['allgs'])).toBeNull();
    expect(readSymbols(dir, ['allgs'], 'full')).toBeNull();
    expect(readSymbols(join(dir, 'nothing'), ['allgs'], 'full')).toBeNull();
  });

  test('tables that are read in several pieces', () => {
    const rows = new Array<Made>(20_000).fill({ name: 'other', value: 7n, info: localObject });
    const long = Array.from({ length: 9 }, (_, index) => ({
      name: `${index}`.repeat(99_991) + (index === 0 ? 'first' : 'last'),
      value: BigInt(index + 1),
    }));
    const bytes = elf([...long.slice(0, 5), ...rows, ...long.slice(5)], 2);
    const names = ['0first', '3last', '8last'].map((end) => end[0]?.repeat(99_990) + end);
    expect([...(read(bytes, names)?.values() ?? [])]).toEqual([1, 4, 9]);
  });

  test.skipIf(process.platform !== 'linux')('of a real program', () => {
    const found = readSymbols(process.execPath, ['napi_create_function', 'no_such_symbol'], 'dynamic');
    expect([...(found?.keys() ?? [])]).toEqual(['napi_create_function']);
  });

  property.prop([fc.uint8Array({ maxLength: 400 })])('any bytes are read without an error', (bytes) => {
    expect(() => read(bytes, ['a', ''])).not.toThrow();
    expect(() => read(Buffer.concat([whole.subarray(0, 64), bytes]), ['a', ''])).not.toThrow();
  });

  property.prop([fc.nat(whole.length - 1)])('a file that is cut is read without an error', (length) => {
    expect(() => read(whole.subarray(0, length), ['allgs'])).not.toThrow();
  });

  property.prop([fc.nat(whole.length - 8), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })], { numRuns: 300 })(
    'a file with any wrong number is read without an error, in bounded time',
    (at, value) => {
      const bytes = Buffer.from(whole);
      bytes.writeBigUInt64LE(value, at);
      const beganMs = performance.now();
      expect(() => read(bytes, ['allgs', 'runtime.allgs'])).not.toThrow();
      expect(performance.now() - beganMs).toBeLessThan(2000);
    },
  );
});

import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fc, test as property } from '@fast-check/vitest';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { Memory } from '../../../../../src/probe/linux/proc/mem.js';
import type { PythonLayout } from '../../../../../src/probe/linux/runtimes/python/layout.js';
import { PythonMemory } from '../../../../../src/probe/linux/runtimes/python/memory.js';

const pages = 4;
const end = pages * 4096;
const content = Buffer.from(Array.from({ length: end }, (_, index) => (index * 7 + (index >> 8)) % 251));
const directory = fs.mkdtempSync(join(tmpdir(), 'python-memory-'));
fs.writeFileSync(join(directory, 'mem'), content);

afterAll(() => fs.rmSync(directory, { recursive: true }));

/** The file in place of the memory: what lies behind its end is not mapped. */
function memory(): PythonMemory {
  const opened = new Memory(() => fs.openSync(join(directory, 'mem'), 'r'));
  return new PythonMemory(opened, {} as PythonLayout);
}

const wordAt = (at: number): number => content.readUInt32LE(at) + content.readUInt32LE(at + 4) * 2 ** 32;

describe('memory that is read page by page', () => {
  const python = memory();
  const address = fc.integer({ min: 4096, max: end + 4096 });

  property.prop([address, fc.integer({ min: 1, max: 10_000 })])(
    'has the bytes that are there',
    (at, length) => {
      const isThere = at + length <= end;
      expect(python.bytes(at, length)).toEqual(isThere ? content.subarray(at, at + length) : null);
    },
  );

  property.prop([address, fc.integer({ min: 1, max: 1500 })])('has the words that are there', (at, count) => {
    const there = Math.max(0, Math.min(count, Math.floor((end - at) / 8)));
    expect(python.words(at, count)).toEqual(
      Array.from({ length: there }, (_, index) => wordAt(at + index * 8)),
    );
    expect(python.word(at)).toBe(at + 8 <= end ? wordAt(at) : 0);
  });

  test('has nothing at addresses that are none', () => {
    for (const at of [0, -8, 2 ** 47, 2 ** 60, Number.NaN]) {
      expect(python.word(at)).toBe(0);
      expect(python.words(at, 2)).toEqual([]);
      expect(python.bytes(at, 4)).toBeNull();
      expect(python.name(at)).toBe('');
    }
  });

  test('reads a page once, until it is asked to read again', () => {
    const fresh = memory();
    const reads = vi.spyOn(fs, 'readSync');
    for (let at = 4096; at < 8192; at += 8) fresh.word(at);
    expect(reads).toHaveBeenCalledTimes(1);
    fresh.again().word(4096);
    expect(reads).toHaveBeenCalledTimes(2);
    reads.mockRestore();
  });
});

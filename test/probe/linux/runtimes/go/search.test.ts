import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { findLoaded } from '../../../../../src/probe/linux/runtimes/go/places.js';
import { searchPlaces } from '../../../../../src/probe/linux/runtimes/go/search.js';
import { context } from '../hand-made-memory.js';
import {
  first,
  listAt,
  listOf,
  memoryOf,
  tableAt,
  tableBytes,
  textsOf,
  waiters,
} from './hand-made-goroutines.js';

describe('the goroutines of a program without symbols', () => {
  const made = [...first, ...waiters(1)];
  const list = { from: listAt, to: listAt + 24 };
  const table = { from: tableAt, to: tableAt + tableBytes };
  const places = { goroutines: listAt, reasons: tableAt };

  test('its variables are searched for the list', () => {
    expect(searchPlaces(memoryOf(made), [list, table])).toEqual(places);
  });

  test('two lists, as while garbage is collected: no list is chosen', () => {
    const copy = { from: 0x9000, to: 0x9018 };
    const memory = memoryOf(made, { beside: [[0x9000n, listOf(made.length)]] });
    expect(searchPlaces(memory, [list, table, copy])).toBeNull();
    expect(searchPlaces(memory, [list, table])).toEqual(places);
  });

  test('other texts of the same lengths are not taken for the reasons', () => {
    const other = { from: 0xa000, to: 0xa000 + tableBytes };
    const beside = textsOf(['', 'a'.repeat(17), 'b'.repeat(7)], other.from, 0xb000);
    expect(searchPlaces(memoryOf(made, { beside }), [other, list, table])).toEqual(places);
  });

  test('a list of something else, no reasons, nothing to read', () => {
    expect(searchPlaces(memoryOf(made.slice(1)), [list, table])).toBeNull();
    expect(searchPlaces(memoryOf(made), [list])).toBeNull();
    expect(searchPlaces(memoryOf(made), [])).toBeNull();
    expect(searchPlaces(context([]).memory, [list, table])).toBeNull();
  });

  test('more variables than can be searched: none is found', () => {
    expect(searchPlaces(memoryOf(made), [list, table, { from: 0, to: 2 ** 40 }])).toBeNull();
  });

  const anything = fc.uint8Array({ minLength: 4096, maxLength: 4096 });
  property.prop([anything], { numRuns: 100 })('in any bytes no list is found', (content) => {
    const { memory } = context([], [0x1000n, Buffer.from(content)]);
    expect(searchPlaces(memory, [{ from: 0x1000, to: 0x2000 }])).toBeNull();
  });
});

describe('where a program lies', () => {
  const maps = `00400000-00500000 r-xp 00000000 fe:00 21                         /srv/a b
00500000-00510000 rw-p 00100000 fe:00 21                         /srv/a b
00510000-00530000 rw-p 00000000 00:00 0
00530000-00540000 rw-p 00000000 00:00 0                          [heap]
c000000000-c000400000 rw-p 00000000 00:00 0
557182000000-557182001000 r--p 00000000 fe:00 22                 /srv/c (deleted)
`;

  test('its first page, and its variables with the zeroed variables', () => {
    const data = [
      { from: 0x500000, to: 0x510000 },
      { from: 0x510000, to: 0x530000 },
    ];
    expect(findLoaded(maps, '/srv/a b')).toEqual({ start: 0x400000, data });
  });

  test('anywhere, removed since, not at all', () => {
    expect(findLoaded(maps, '/srv/c (deleted)')).toEqual({ start: 0x557182000000, data: [] });
    expect(findLoaded(maps, '/srv/a')).toBeNull();
    expect(findLoaded('', '/srv/a')).toBeNull();
  });

  property.prop([fc.string(), fc.string()])('any text is read without an error', (text, executable) => {
    expect(() => findLoaded(text, executable)).not.toThrow();
  });
});

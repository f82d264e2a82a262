import { describe, expect, test } from 'vitest';
import { readFlags } from '../../../../../src/probe/linux/runtimes/java/flags.js';
import { objectLayoutOf } from '../../../../../src/probe/linux/runtimes/java/object-layout.js';
import type { HotspotField } from '../../../../../src/probe/linux/runtimes/java/structs.js';
import { context } from '../hand-made-memory.js';

const base = 0x7f00_0000_0000n;

type Row = [name: string, type: string | null, place: bigint, isStatic?: true];

const common: Row[] = [
  ['JavaThread::_threadObj', 'OopHandle', 648n],
  ['OopHandle::_obj', 'oop*', 0n],
  ['Universe::_collectedHeap', 'CollectedHeap*', base + 0x100n, true],
  ['CollectedHeap::_total_collections', 'unsigned int', 64n],
  ['oopDesc::_metadata._klass', 'Klass*', 8n],
  ['oopDesc::_metadata._compressed_klass', 'narrowKlass', 8n],
  ['Klass::_name', 'Symbol*', 24n],
  ['Klass::_super', 'Klass*', 120n],
  ['InstanceKlass::_constants', 'ConstantPool*', 232n],
  ['ConstantPool::_length', 'int', 60n],
  ['Symbol::_length', 'u2', 4n],
  ['Symbol::_body[0]', 'u1', 6n],
  ['Array<int>::_length', 'int', 0n],
  ['Array<u1>::_data', null, 4n],
  ['Array<u2>::_data', null, 4n],
];
/** As JDK 17 describes itself. */
const jdk17: Row[] = [
  ...common,
  ['CollectedHeap::_is_gc_active', 'bool', 48n],
  ['CompressedOops::_narrow_oop._base', 'address', base + 0x110n, true],
  ['CompressedOops::_narrow_oop._shift', 'int', base + 0x118n, true],
  ['CompressedKlassPointers::_narrow_klass._base', 'address', base + 0x120n, true],
  ['CompressedKlassPointers::_narrow_klass._shift', 'int', base + 0x128n, true],
  ['InstanceKlass::_fields', 'Array<u2>*', 456n],
  ['InstanceKlass::_java_fields_count', 'u2', 310n],
];
/** As JDK 25 does. */
const jdk25: Row[] = [
  ...common,
  ['CollectedHeap::_is_stw_gc_active', 'bool', 48n],
  ['CompressedOops::_base', 'address', base + 0x110n, true],
  ['CompressedOops::_shift', 'int', base + 0x118n, true],
  ['CompressedKlassPointers::_base', 'address', base + 0x120n, true],
  ['CompressedKlassPointers::_shift', 'int', base + 0x128n, true],
  ['InstanceKlass::_fieldinfo_stream', 'Array<u1>*', 448n],
];

const fieldsOf = (rows: Row[]): Map<string, HotspotField> =>
  new Map(rows.map(([name, type, place, isStatic = false]) => [name, { type, place, isStatic }]));

const sizes = new Map([['ConstantPool', 72]]);
const flags = {
  compressedReferences: 1n,
  compressedClasses: 2n,
  stoppingCollectors: [3n],
  compactHeaders: null,
};
const layout = (rows: Row[], known: typeof flags | null = flags) =>
  objectLayoutOf(fieldsOf(rows), sizes, known, base);

describe('how Java objects are laid out', () => {
  test('JDK 17', () => {
    expect(layout(jdk17)).toEqual({
      flags,
      threadHandle: 648,
      heap: { at: 0x100n, collections: 64, isCollecting: 48 },
      reference: { base: 0x110n, shift: 0x118n },
      classPointer: { base: 0x120n, shift: 0x128n, wide: 8, narrow: 8 },
      klass: { name: 24, parent: 120, constants: 232 },
      fields: { as: 'numbers', at: 456, count: 310 },
      constants: { length: 60, first: 72 },
      symbol: { length: 4, text: 6 },
      array: { length: 0, first: 4 },
      methods: null,
    });
  });

  test('JDK 25: other names, and a stream of fields', () => {
    expect(layout(jdk25)).toEqual({ ...layout(jdk17), fields: { as: 'stream', at: 448 } });
  });

  test.each([
    ['JDK 17', jdk17],
    ['JDK 25', jdk25],
  ])('%s without a field, or with one of another kind, is another machine', (_, rows) => {
    for (const row of rows) {
      const [name, type, place, isStatic] = row;
      const others = rows.filter((other) => other !== row);
      const untyped: Row = isStatic === true ? [name, type, place] : [name, type, place, true];
      expect(layout(others), name).toBeNull();
      expect(layout([...others, untyped]), name).toBeNull();
      if (type !== null) expect(layout([...others, [name, 'double', place, isStatic] as Row])).toBeNull();
    }
    expect(layout(rows, null)).toBeNull();
    expect(objectLayoutOf(fieldsOf(rows), new Map(), flags, base)).toBeNull();
  });
});

const switches = [
  'UseSerialGC',
  'UseParallelGC',
  'UseG1GC',
  'UseCompressedOops',
  'UseCompressedClassPointers',
];
const flagFields = fieldsOf([
  ['JVMFlag::flags', 'JVMFlag*', base + 0x10n, true],
  ['JVMFlag::numFlags', 'size_t', base + 0x18n, true],
  ['JVMFlag::_name', 'const char*', 8n],
  ['JVMFlag::_addr', null, 0n],
]);

/** The list of switches in memory; the n-th one is at 0x1000 + n. */
function flagsOf(names: string[], count = BigInt(names.length + 1)) {
  const bytes = Buffer.alloc(0x3000);
  bytes.writeBigUInt64LE(base + 0x100n, 0x10);
  bytes.writeBigUInt64LE(count, 0x18);
  for (const [index, name] of names.entries()) {
    bytes.writeBigUInt64LE(base + 0x1000n + BigInt(index), 0x100 + index * 24);
    bytes.writeBigUInt64LE(base + 0x1100n + BigInt(index * 64), 0x108 + index * 24);
    bytes.write(name, 0x1100 + index * 64);
  }
  return readFlags(context([], [base, bytes]).memory, flagFields, 24, base);
}

describe('the switches a Java machine was started with', () => {
  test('where they are', () => {
    expect(flagsOf(switches)).toEqual({
      compressedReferences: 0x1003n,
      compressedClasses: 0x1004n,
      stoppingCollectors: [0x1000n, 0x1001n, 0x1002n],
      compactHeaders: null,
    });
    expect(flagsOf([...switches, 'UseCompactObjectHeaders'])?.compactHeaders).toBe(0x1005n);
  });

  test('null if a field is missing, or if there are too many', () => {
    for (const name of switches) expect(flagsOf(switches.filter((other) => other !== name))).toBeNull();
    expect(flagsOf(switches, 2n ** 63n)).toBeNull();
    expect(flagsOf(switches, 5000n)).toBeNull();
  });
});

import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { layoutOf } from '../../../../../src/probe/linux/runtimes/java/layout.js';
import {
  type HotspotField,
  readStructs,
  structSymbols,
} from '../../../../../src/probe/linux/runtimes/java/structs.js';
import { context } from '../hand-made-memory.js';

const base = 0x7f00_0000_0000n;

type Row = [structure: string, field: string, type: string | null, place: bigint, isStatic?: boolean];

const common: Row[] = [
  ['ThreadsSMRSupport', '_java_thread_list', 'ThreadsList*', base + 0x500n, true],
  ['ThreadsList', '_length', 'const uint', 4n],
  ['ThreadsList', '_threads', 'JavaThread *const *const', 16n],
  ['JavaThread', '_current_pending_monitor', 'ObjectMonitor*', 776n],
];
/** As JDK 17 describes itself. */
const jdk17: Row[] = [
  ...common,
  ['JavaThread', '_osthread', 'OSThread*', 560n],
  ['OSThread', '_thread_id', 'OSThread::thread_id_t', 208n],
  ['ObjectMonitor', '_object', null, 8n],
  ['ObjectMonitor', '_owner', null, 64n],
  ['JavaThread', '_stack_base', 'address', 592n],
  ['JavaThread', '_stack_size', 'size_t', 600n],
];
/** As JDK 25 does. */
const jdk25: Row[] = [
  ...common,
  ['Thread', '_osthread', 'OSThread*', 1016n],
  ['OSThread', '_thread_id', 'pid_t', 12n],
  ['ObjectMonitor', '_object', null, 8n],
  ['ObjectMonitor', '_owner', 'int64_t', 64n],
  ['JavaThread', '_monitor_owner_id', 'int64_t', 1312n],
  ['JavaThread', '_lock_stack', 'LockStack', 2000n],
  ['LockStack', '_top', 'uint32_t', 0n],
  ['LockStack', '_base[0]', 'oop', 16n],
];
const optional = new Set(['_object', '_lock_stack', '_top', '_base[0]']);

function fieldsOf(rows: Row[]): Map<string, HotspotField> {
  return new Map(
    rows.map(([structure, field, type, place, isStatic = false]) => [
      `${structure}::${field}`,
      { type, place, isStatic },
    ]),
  );
}

describe('how a Java machine is laid out', () => {
  test('JDK 17: owners are pointers', () => {
    expect(layoutOf(fieldsOf(jdk17), base)).toEqual({
      threadList: 0x500n,
      list: { length: 4, threads: 16 },
      thread: { osThread: 560, pendingMonitor: 776 },
      osThread: { id: 208 },
      monitor: { owner: 64, object: 8 },
      owner: { as: 'pointer', stackBase: 592, stackSize: 600 },
      lockStack: null,
      initialization: null,
    });
  });

  test('JDK 25: owners are numbers, and what was locked without a monitor is on a stack of its own', () => {
    expect(layoutOf(fieldsOf(jdk25), base)).toMatchObject({
      thread: { osThread: 1016 },
      owner: { as: 'id', id: 1312 },
      lockStack: { top: 2000, base: 2016 },
    });
  });

  test.each([
    ['JDK 17', jdk17],
    ['JDK 25', jdk25],
  ])('%s without a field, or with one of another kind, is another machine', (_, rows) => {
    for (const row of rows) {
      const [structure, field, , place, isStatic] = row;
      if (optional.has(field)) continue;
      const others = rows.filter((other) => other !== row);
      expect(layoutOf(fieldsOf(others), base), field).toBeNull();
      expect(
        layoutOf(fieldsOf([...others, [structure, field, 'int', -1n & 0xffffffffn, isStatic]]), base),
      ).toBeNull();
      expect(
        layoutOf(fieldsOf([...others, [structure, field, null, place, isStatic !== true]]), base),
      ).toBeNull();
    }
  });
});

const symbolAt = (symbol: string): bigint => 0x1000n + BigInt(structSymbols.indexOf(symbol) * 8);
const columns = { TypeName: 0, FieldName: 8, TypeString: 16, IsStatic: 24, Offset: 32, Address: 40 };

/** The table as it stands in memory: symbols, rows, texts. */
function memoryOf(rows: Row[], stride = 48n, ended = true) {
  const texts = [...new Set(rows.flatMap(([structure, field, type]) => [structure, field, type ?? '']))];
  const textAt = (text: string): bigint => 0x2_0000n + BigInt(texts.indexOf(text) * 64);
  const symbols = Buffer.alloc(structSymbols.length * 8);
  const set = (symbol: string, value: bigint) =>
    symbols.writeBigUInt64LE(value, Number(symbolAt(symbol) - 0x1000n));
  set('gHotSpotVMStructs', 0x1_0000n);
  set('gHotSpotVMStructEntryArrayStride', stride);
  for (const [column, offset] of Object.entries(columns)) {
    set(`gHotSpotVMStructEntry${column}Offset`, BigInt(offset));
  }
  const table = Buffer.alloc((rows.length + (ended ? 1 : 0)) * 48);
  for (const [index, [structure, field, type, place, isStatic]] of rows.entries()) {
    const at = index * 48;
    table.writeBigUInt64LE(textAt(structure), at);
    table.writeBigUInt64LE(textAt(field), at + 8);
    table.writeBigUInt64LE(type === null ? 0n : textAt(type), at + 16);
    table.writeInt32LE(isStatic === true ? 1 : 0, at + 24);
    table.writeBigUInt64LE(place, at + (isStatic === true ? 40 : 32));
  }
  const strings = Buffer.alloc(0x4000);
  for (const [index, text] of texts.entries()) strings.write(text, index * 64);
  return context([], [0x1000n, symbols], [0x1_0000n, table], [0x2_0000n, strings]).memory;
}

const all = new Set(jdk25.map(([structure]) => structure));

describe('the table of structures of a Java machine', () => {
  test('only the structures that are asked for', () => {
    const rows: Row[] = [...jdk17, ['Universe', '_collectedHeap', 'CollectedHeap*', 1n, true]];
    expect(readStructs(memoryOf(rows), symbolAt, all)).toEqual(fieldsOf(jdk17));
  });

  test('null without an end, with a size that cannot be, without the symbols', () => {
    expect(readStructs(memoryOf(jdk17, 48n, false), symbolAt, all)).toBeNull();
    expect(readStructs(memoryOf(jdk17, 0n), symbolAt, all)).toBeNull();
    expect(readStructs(memoryOf(jdk17, 2n ** 40n), symbolAt, all)).toBeNull();
    expect(readStructs(memoryOf(jdk17), () => null, all)).toBeNull();
  });

  property.prop([fc.uint8Array({ minLength: 64, maxLength: 4096 })])(
    'any bytes are read without an error',
    (bytes) => {
      const { memory } = context([], [0x1000n, Buffer.from(bytes)]);
      expect(() => readStructs(memory, symbolAt, all)).not.toThrow();
    },
  );

  property.prop([fc.nat(47), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })])(
    'rows with wrong values are read without an error',
    (at, value) => {
      const rows = jdk17.map(
        (row): Row => [row[0], row[1], row[2], (row[3] ^ value) & 0xffff_ffff_ffff_ffffn, row[4]],
      );
      const fields = readStructs(memoryOf(rows, BigInt(at) + 1n), symbolAt, all);
      expect(() => (fields === null ? null : layoutOf(fields, base))).not.toThrow();
    },
  );
});

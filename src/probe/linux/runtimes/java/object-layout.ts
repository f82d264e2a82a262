import type { HotspotFlags } from './flags.js';
import { type HotspotFields, offsetOf, staticOf } from './structs.js';

/**
 * Pointers of four bytes: addresses of the base to add and of the bits to shift, relative to the load address of the
 * library.
 */
interface Narrow {
  base: bigint;
  shift: bigint;
}

/** How Java objects and their classes stand in the memory of one kind of virtual machine. Offsets in bytes. */
export interface HotspotObjectLayout {
  flags: HotspotFlags;
  /** Offset of the handle of the java.lang.Thread, in the structure of a thread. */
  threadHandle: number;
  /**
   * The heap, relative to the load address of the library; in it, how often it was collected, and whether a collection
   * runs.
   */
  heap: { at: bigint; collections: number; isCollecting: number };
  reference: Narrow;
  classPointer: Narrow & { wide: number; narrow: number };
  klass: { name: number; parent: number; constants: number };
  /** To JDK 20 six numbers for each field, since then a stream. */
  fields: { as: 'numbers'; at: number; count: number } | { as: 'stream'; at: number };
  /** Names stand behind the structure of a pool of constants. */
  constants: { length: number; first: number };
  symbol: { length: number; text: number };
  array: { length: number; first: number };
  /** How interpreted calls on a stack name their methods; null: unknown. */
  methods: HotspotMethodLayout | null;
}

interface HotspotMethodLayout {
  /** In the structure of a thread: where its innermost Java call lies on its stack. */
  lastSp: number;
  constMethod: number;
  pool: number;
  nameIndex: number;
  /** In a pool of constants: the class that it belongs to. */
  holder: number;
}

export const objectStructures = [
  'CollectedHeap',
  'Universe',
  'CompressedOops',
  'CompressedKlassPointers',
  'oopDesc',
  'OopHandle',
  'Klass',
  'InstanceKlass',
  'ConstantPool',
  'Symbol',
  'JavaFrameAnchor',
  'Method',
  'ConstMethod',
  'Array<int>',
  'Array<u1>',
  'Array<u2>',
  'JVMFlag',
];

/** null: the layout of objects is unknown. */
export function objectLayoutOf(
  fields: HotspotFields,
  sizes: ReadonlyMap<string, number>,
  flags: HotspotFlags | null,
  base: bigint,
): HotspotObjectLayout | null {
  const offset = (name: string, type?: RegExp): number | null => offsetOf(fields, name, type);
  const heapAt = staticOf(fields, 'Universe::_collectedHeap', /^CollectedHeap ?\*$/, base);
  const isCollecting =
    offset('CollectedHeap::_is_gc_active', /^bool$/) ?? offset('CollectedHeap::_is_stw_gc_active', /^bool$/);
  const bytes = offset('Array<u1>::_data');
  const numbers = {
    threadHandle: offset('JavaThread::_threadObj', /^OopHandle$/),
    collections: offset('CollectedHeap::_total_collections', /^unsigned int$/),
    isCollecting,
    wide: offset('oopDesc::_metadata._klass', /^Klass ?\*$/),
    narrow: offset('oopDesc::_metadata._compressed_klass', /^narrowKlass$/),
    name: offset('Klass::_name', /^Symbol ?\*$/),
    parent: offset('Klass::_super', /^Klass ?\*$/),
    constants: offset('InstanceKlass::_constants', /^ConstantPool ?\*$/),
    poolLength: offset('ConstantPool::_length', /^int$/),
    poolFirst: sizes.get('ConstantPool') ?? null,
    symbolLength: offset('Symbol::_length', /^u2$/),
    symbolText: offset('Symbol::_body[0]', /^u1$/),
    arrayLength: offset('Array<int>::_length', /^int$/),
    arrayFirst: bytes,
  };
  const reference = narrowOf(fields, 'CompressedOops', 'narrow_oop', base);
  const pointer = narrowOf(fields, 'CompressedKlassPointers', 'narrow_klass', base);
  const described = fieldsOf(fields);
  if (flags === null || heapAt === null || reference === null || pointer === null || described === null)
    return null;
  if (!areKnown(numbers) || offset('OopHandle::_obj', /^oop ?\*$/) !== 0) return null;
  if (offset('Array<u2>::_data') !== bytes) return null;
  return {
    flags,
    threadHandle: numbers.threadHandle,
    heap: { at: heapAt, collections: numbers.collections, isCollecting: numbers.isCollecting },
    reference,
    classPointer: { ...pointer, wide: numbers.wide, narrow: numbers.narrow },
    klass: { name: numbers.name, parent: numbers.parent, constants: numbers.constants },
    fields: described,
    constants: { length: numbers.poolLength, first: numbers.poolFirst },
    symbol: { length: numbers.symbolLength, text: numbers.symbolText },
    array: { length: numbers.arrayLength, first: numbers.arrayFirst },
    methods: methodsOf(fields),
  };
}

function methodsOf(fields: HotspotFields): HotspotMethodLayout | null {
  const anchor = offsetOf(fields, 'JavaThread::_anchor', /^JavaFrameAnchor$/);
  const sp = offsetOf(fields, 'JavaFrameAnchor::_last_Java_sp');
  const numbers = {
    lastSp: anchor === null || sp === null ? null : anchor + sp,
    constMethod: offsetOf(fields, 'Method::_constMethod', /^ConstMethod ?\*$/),
    pool: offsetOf(fields, 'ConstMethod::_constants', /^ConstantPool ?\*$/),
    nameIndex: offsetOf(fields, 'ConstMethod::_name_index', /^u2$/),
    holder: offsetOf(fields, 'ConstantPool::_pool_holder', /^InstanceKlass ?\*$/),
  };
  return areKnown(numbers) ? numbers : null;
}

function areKnown<Name extends string>(
  numbers: Record<Name, number | null>,
): numbers is Record<Name, number> {
  return Object.values(numbers).every((number) => number !== null);
}

function narrowOf(fields: HotspotFields, structure: string, group: string, base: bigint): Narrow | null {
  const place = (name: string, type: RegExp): bigint | null =>
    staticOf(fields, `${structure}::_${group}._${name}`, type, base) ??
    staticOf(fields, `${structure}::_${name}`, type, base);
  const [start, shift] = [place('base', /^address$/), place('shift', /^int$/)];
  return start === null || shift === null ? null : { base: start, shift };
}

function fieldsOf(fields: HotspotFields): HotspotObjectLayout['fields'] | null {
  const stream = offsetOf(fields, 'InstanceKlass::_fieldinfo_stream', /^Array<u1> ?\*$/);
  if (stream !== null) return { as: 'stream', at: stream };
  const at = offsetOf(fields, 'InstanceKlass::_fields', /^Array<u2> ?\*$/);
  const count = offsetOf(fields, 'InstanceKlass::_java_fields_count', /^u2$/);
  return at === null || count === null ? null : { as: 'numbers', at, count };
}

import type { Memory } from '../../proc/mem.js';
import type { ProcDir } from '../../proc/proc-dir.js';
import { findImage, type LoadedImage } from '../loaded-image.js';
import { readFlags } from './flags.js';
import { bytesAt } from './memory.js';
import { type HotspotObjectLayout, objectLayoutOf, objectStructures } from './object-layout.js';
import { type HotspotFields, offsetOf, readSizes, readStructs, staticOf, structSymbols } from './structs.js';

/** libjvm.so as loaded in a process. */
type Library = Pick<LoadedImage, 'base' | 'symbols'>;

/** null: the process has not loaded it, or hides its maps. */
function findLibrary(dir: ProcDir): Library | null {
  return findImage(dir, (path) => path.endsWith('/libjvm.so'));
}

/** Where the threads and their monitors stand in the memory of one kind of virtual machine. Offsets in bytes. */
export interface HotspotLayout {
  /** Address of the pointer to the list of threads, relative to the load address of the library. */
  threadList: bigint;
  list: { length: number; threads: number };
  thread: { osThread: number; pendingMonitor: number };
  osThread: { id: number };
  monitor: { owner: number; object: number | null };
  /** The owner is written as a pointer to the thread or into its stack (to JDK 23), or as a number (since). */
  owner: { as: 'pointer'; stackBase: number; stackSize: number } | { as: 'id'; id: number };
  /**
   * Objects that the thread has locked without a monitor: they identify the owner when a monitor does not (since 21).
   */
  lockStack: { top: number; base: number } | null;
  /** null: how a thread waits for the initialization of a class is not known. */
  initialization: InitializationLayout | null;
}

export interface InitializationLayout {
  /** In the structure of a thread: the monitor in whose `wait` it is. */
  waitingMonitor: number;
  /** In the structure of a class: the thread that initializes it. */
  initializer: number;
  /** The size of the structure of a thread. */
  threadBytes: number;
  /** A word in it that may keep a class for other reasons. */
  otherClass: number | null;
}

/** A kind of virtual machine. */
interface HotspotKind {
  layout: HotspotLayout;
  /** null: the layout of its objects is unknown. */
  objects: HotspotObjectLayout | null;
}

const structures = new Set([
  'ThreadsSMRSupport',
  'ThreadsList',
  'Thread',
  'JavaThread',
  'OSThread',
  'ObjectMonitor',
  'LockStack',
  ...objectStructures,
]);

const layoutsMax = 8;
const headBytes = 4096;

/** By the first page of the library, which has its build id: the same build has the same layout. */
const known = new Map<string, HotspotKind>();

/** null: no virtual machine that describes itself in a known way. */
export function readLayout(dir: ProcDir, memory: Memory): (HotspotKind & { base: bigint }) | null {
  const library = findLibrary(dir);
  const head = library === null ? null : bytesAt(memory, library.base, headBytes);
  if (library === null || head === null) return null;
  const { base } = library;
  const key = head.toString('latin1');
  const remembered = known.get(key);
  if (remembered !== undefined) return { ...remembered, base };
  const kind = describe(library, memory);
  if (kind === null) return null;
  const oldest = known.size < layoutsMax ? undefined : known.keys().next().value;
  if (oldest !== undefined) known.delete(oldest);
  known.set(key, kind);
  return { ...kind, base };
}

function describe(library: Library, memory: Memory): HotspotKind | null {
  const symbols = library.symbols(structSymbols);
  if (symbols === null) return null;
  const addressOf = (symbol: string): bigint | null => {
    const value = symbols.get(symbol);
    return value === undefined ? null : library.base + BigInt(value);
  };
  const fields = readStructs(memory, addressOf, structures);
  const sizes = readSizes(memory, addressOf, structures);
  const layout = fields === null ? null : layoutOf(fields, library.base, sizes);
  if (fields === null || layout === null) return null;
  const flags = readFlags(memory, fields, sizes.get('JVMFlag'), library.base);
  return { layout, objects: objectLayoutOf(fields, sizes, flags, library.base) };
}

/** The layout from the fields, if all of them exist with known types; otherwise it is another virtual machine. */
export function layoutOf(
  fields: HotspotFields,
  base: bigint,
  sizes: ReadonlyMap<string, number> = new Map(),
): HotspotLayout | null {
  const offset = (name: string, type?: RegExp): number | null => offsetOf(fields, name, type);
  const ofThread = (name: string, type: RegExp): number | null =>
    offset(`JavaThread::${name}`, type) ?? offset(`Thread::${name}`, type);
  const threadList = staticOf(fields, 'ThreadsSMRSupport::_java_thread_list', /^ThreadsList ?\*$/, base);
  const length = offset('ThreadsList::_length', /uint$/);
  const threads = offset('ThreadsList::_threads', /^JavaThread ?\*/);
  const osThread = ofThread('_osthread', /^OSThread ?\*$/);
  const pendingMonitor = offset('JavaThread::_current_pending_monitor', /^ObjectMonitor ?\*$/);
  const id = offset('OSThread::_thread_id');
  const owner = offset('ObjectMonitor::_owner');
  if (
    threadList === null ||
    length === null ||
    threads === null ||
    osThread === null ||
    pendingMonitor === null
  )
    return null;
  const kind = ownerKind(fields.get('ObjectMonitor::_owner')?.type ?? null, ofThread);
  if (id === null || owner === null || kind === null) return null;
  const stack = offset('JavaThread::_lock_stack', /^LockStack$/);
  const top = offset('LockStack::_top', /^uint32_t$/);
  const first = offset('LockStack::_base[0]', /^oop$/);
  const hasStack = stack !== null && top !== null && first !== null;
  return {
    threadList,
    list: { length, threads },
    thread: { osThread, pendingMonitor },
    osThread: { id },
    monitor: { owner, object: offset('ObjectMonitor::_object') },
    owner: kind,
    lockStack: hasStack ? { top: stack + top, base: stack + first } : null,
    initialization: initializationOf(ofThread, offset, sizes),
  };
}

type OffsetOf = (name: string, type: RegExp) => number | null;

function initializationOf(
  ofThread: OffsetOf,
  offset: OffsetOf,
  sizes: ReadonlyMap<string, number>,
): InitializationLayout | null {
  const waitingMonitor = ofThread('_current_waiting_monitor', /^ObjectMonitor ?\*$/);
  const initializer = offset('InstanceKlass::_init_thread', /^(Java)?Thread ?\*$/);
  const threadBytes = sizes.get('JavaThread');
  if (waitingMonitor === null || initializer === null || threadBytes === undefined) return null;
  const otherClass = ofThread('_vm_result_2', /^Metadata ?\*$/);
  return { waitingMonitor, initializer, threadBytes, otherClass };
}

function ownerKind(
  type: string | null,
  ofThread: (name: string, type: RegExp) => number | null,
): HotspotLayout['owner'] | null {
  if (type === 'int64_t') {
    const id = ofThread('_monitor_owner_id', /^int64_t$/);
    return id === null ? null : { as: 'id', id };
  }
  if (type !== null && !/^void ?\*$/.test(type)) return null;
  const stackBase = ofThread('_stack_base', /^address$/);
  const stackSize = ofThread('_stack_size', /^size_t$/);
  return stackBase === null || stackSize === null ? null : { as: 'pointer', stackBase, stackSize };
}

import { isAbsent } from '../../../model/facts/absence.js';
import type { StackFrame } from '../../../model/facts/stack.js';
import type { Memory } from '../../linux/proc/mem.js';
import type { ProcDir } from '../../linux/proc/proc-dir.js';
import { readSection } from '../../linux/runtimes/elf-symbols.js';
import { goroutineAt, recordBytes, status } from '../../linux/runtimes/go/layout.js';
import { provePlace, readList } from '../../linux/runtimes/go/list.js';
import { pointerAt, readAll, reasonNames } from '../../linux/runtimes/go/memory.js';
import { readGoPlaces } from '../../linux/runtimes/go/places.js';
import { findImage } from '../../linux/runtimes/loaded-image.js';
import { GoTable } from './table.js';

const goroutinesMax = 1000;
const framesMax = 60;
/** Fields in the record of a goroutine, the same in every version so far: its stack, and where it goes on. */
const field = { stackLow: 0, stackHigh: 8, address: 64 } as const;
/** The frame pointer stands in one of these places. */
const framePointers = [104, 96, 88] as const;

export interface GoStack {
  /** `goroutine 7 (sync.Mutex.Lock)`. */
  name: string;
  frames: StackFrame[];
}

/** Stacks of goroutines that wait, innermost frame first; null: not a Go program whose tables are known. */
export function readGoStacks(dir: ProcDir, memory: Memory): GoStack[] | null {
  const places = readGoPlaces(dir, memory);
  const table = findTable(dir, memory);
  if (isAbsent(places) || table === null) return null;
  const list = readList(memory, places.goroutines, goroutinesMax);
  if (isAbsent(list)) return null;
  const nameOf = reasonNames(memory, places.reasons);
  const place = provePlace(memory, list, nameOf);
  if (place === null) return null;
  const stacks: GoStack[] = [];
  for (const address of list.addresses) {
    const record = readAll(memory, address, recordBytes);
    const goroutine = isAbsent(record) ? null : goroutineAt(record, place);
    if (isAbsent(record) || goroutine === null || goroutine.status !== status.waiting) continue;
    const frames = framesOf(memory, table, record);
    if (frames.length > 0)
      stacks.push({ name: `goroutine ${goroutine.id} (${nameOf(goroutine.reason) ?? 'waits'})`, frames });
  }
  return stacks;
}

function findTable(dir: ProcDir, memory: Memory): GoTable | null {
  const executable = dir.link('exe');
  const image = findImage(dir, (path) => path === executable);
  const section = readSection(dir.path('exe'), ['.gopclntab', '.data.rel.ro.gopclntab']);
  if (image === null || section === null) return null;
  const base = Number(image.base);
  return GoTable.at(memory, section.address >= base ? section.address : base + section.address);
}

/** Follows frame pointers. Each must lie further up in the goroutine's own stack. */
export function framesOf(memory: Memory, table: Pick<GoTable, 'frameAt'>, record: Buffer): StackFrame[] {
  const [low, high] = [pointerAt(record, field.stackLow), pointerAt(record, field.stackHigh)];
  const isInside = (address: number): boolean => address >= low && address + 16 <= high;
  const first = table.frameAt(pointerAt(record, field.address));
  const at = framePointers.find((place) => isInside(pointerAt(record, place)));
  if (first === null || at === undefined) return first === null ? [] : [first];
  const frames = [first];
  let pointer = pointerAt(record, at);
  while (frames.length < framesMax && isInside(pointer)) {
    const saved = readAll(memory, pointer, 16);
    const frame = isAbsent(saved) ? null : table.frameAt(pointerAt(saved, 8));
    if (isAbsent(saved) || frame === null) break;
    frames.push(frame);
    const next = pointerAt(saved, 0);
    if (next <= pointer) break;
    pointer = next;
  }
  return frames;
}

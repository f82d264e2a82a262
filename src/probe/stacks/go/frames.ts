import { isAbsent } from '../../../model/facts/absence.js';
import type { StackFrame } from '../../../model/facts/stack.js';
import type { Memory } from '../../linux/proc/mem.js';
import type { ProcDir } from '../../linux/proc/proc-dir.js';
import { findModule, type GoModule } from '../../linux/runtimes/go/module.js';
import { GoPages } from '../../linux/runtimes/go/pages.js';
import { readGoMemo, readGoPlaces } from '../../linux/runtimes/go/places.js';
import { readGoroutineList } from '../../linux/runtimes/go/scheduler.js';
import { type GoFrame, readStack } from '../../linux/runtimes/go/stacks.js';

const goroutinesMax = 1000;
const framesMax = 60;

export interface GoStack {
  /** `goroutine 7 (sync.Mutex.Lock)`. */
  name: string;
  frames: StackFrame[];
}

/** Stacks of goroutines that wait, innermost frame first; null: not a Go program whose tables are known. */
export function readGoStacks(dir: ProcDir, memory: Memory): GoStack[] | null {
  const places = readGoPlaces(dir, memory);
  if (isAbsent(places)) return null;
  const pages = new GoPages(memory);
  const module = findModule(pages, places.variables, readGoMemo(dir, places));
  const listed = readGoroutineList(memory, places, []);
  if (module === null || isAbsent(listed)) return null;
  const parked = listed.all.filter(({ reason }) => reason !== null).slice(0, goroutinesMax);
  return parked.flatMap(({ address, id, reason }) => {
    const stack = readStack(pages, module, address);
    const frames = (stack?.frames ?? []).slice(0, framesMax).map((frame) => frameOf(module, frame));
    return frames.length === 0 ? [] : [{ name: `goroutine ${id} (${reason})`, frames }];
  });
}

function frameOf({ functions }: GoModule, { found, pc }: GoFrame): StackFrame {
  // The call stands before its return address.
  const place = functions.place(found, pc === found.entry ? pc : pc - 1);
  return { function: found.name, file: place?.file ?? null, line: place?.line ?? null };
}

import type { GoFunction } from './functions.js';
import type { GoModule } from './module.js';
import type { GoPages } from './pages.js';

/** Fields of a goroutine's record that no version has moved. */
const field = { stackFrom: 0, stackTo: 8, panics: 32, defers: 40, sp: 56, pc: 64 } as const;
const framesMax = 200;
const stackBytesMax = 256 * 1024;

/** A call on a stack: its words lie from `from` up to its return address at `to`. */
export interface GoFrame {
  found: GoFunction;
  /** The address where it goes on. */
  pc: number;
  from: number;
  to: number;
}

/** The stack of a goroutine that does not run. */
export interface GoStack {
  from: number;
  to: number;
  frames: GoFrame[];
  /** Whether the frames lead to the end of the stack. */
  whole: boolean;
}

/** Frames from the innermost outwards; null: the memory there is not a stack. */
export function readStack(pages: GoPages, { functions }: GoModule, goroutine: number): GoStack | null {
  const at = (offset: number): number => pages.word(goroutine + offset) ?? 0;
  const [low, high] = [at(field.stackFrom), at(field.stackTo)];
  let [sp, pc] = [at(field.sp), at(field.pc)];
  if (low === 0 || sp < low || sp >= high || high - low > 2 ** 30) return null;
  const stack: GoStack = { from: sp, to: high, frames: [], whole: false };
  while (stack.frames.length < framesMax) {
    const found = functions.find(pc);
    // The place of a call is the instruction before its return address.
    const bytes = found === null ? null : functions.frameBytes(found, pc === found.entry ? pc : pc - 1);
    if (found === null || bytes === null || bytes < 0 || sp + bytes + 8 > high) return stack;
    stack.frames.push({ found, pc, from: sp, to: sp + bytes });
    if (found.name === 'runtime.goexit' || found.name === 'runtime.goexit.abi0')
      return { ...stack, whole: true };
    pc = pages.word(functions.returnsFirst ? sp : sp + bytes) ?? 0;
    sp += functions.returnsFirst ? bytes : bytes + 8;
  }
  return stack;
}

/** What a goroutine can still use: live pointers of its frames, and its deferred calls. */
export function livePointers(
  pages: GoPages,
  module: GoModule,
  goroutine: number,
  stack: GoStack,
): number[] | null {
  const deferred = [field.panics, field.defers].map((offset) => pages.word(goroutine + offset) ?? 0);
  if (stack.to - stack.from > stackBytesMax) return null;
  if (!stack.whole) return [...deferred, ...pages.words(stack.from, stack.to)];
  const found = stack.frames.flatMap((frame) => frameRoots(pages, module, frame));
  return [...deferred, ...withOwnObjects(pages, stack, found)];
}

const isGeneric = ({ name }: GoFunction): boolean => name.includes('[');

function frameRoots(pages: GoPages, { functions }: GoModule, { found, pc, from, to }: GoFrame): number[] {
  // What a generic function knows of its types (its dictionary) is a plain number to the collector.
  if (isGeneric(found))
    return [...pages.words(from, to), ...pages.words(to + 8, to + 8 + functions.argumentBytes(found))];
  const place = pc === found.entry ? pc : pc - 1;
  // The caller's frame pointer lies below the return address.
  const top = to > from ? to - 8 : to;
  const locals = functions.pointers(found, place, 'locals');
  const args = functions.pointers(found, place, 'args');
  const own =
    locals === null ? [...pages.words(from, to)] : marked(pages, locals.bits, top - locals.bits.length * 8);
  return args === null ? own : [...own, ...marked(pages, args.bits, to + 8)];
}

function marked(pages: GoPages, bits: readonly boolean[], start: number): number[] {
  return bits.flatMap((bit, index) => (bit ? (pages.word(start + index * 8) ?? 0) : []));
}

/** Variables that live on the stack and are pointed to: from there to the end of their frame all words count. */
function withOwnObjects(pages: GoPages, stack: GoStack, roots: readonly number[]): Set<number> {
  const all = new Set(roots);
  for (const root of all) {
    const frame = stack.frames.find(({ from, to }) => root >= from && root < to);
    if (frame !== undefined) for (const value of pages.words(root - (root % 8), frame.to)) all.add(value);
  }
  return all;
}

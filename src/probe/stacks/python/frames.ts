import type { StackFrame } from '../../../model/facts/stack.js';
import type { Memory } from '../../linux/proc/mem.js';
import type { ProcDir } from '../../linux/proc/proc-dir.js';
import { findPython, type PythonLayout } from '../../linux/runtimes/python/layout.js';
import { PythonMemory } from '../../linux/runtimes/python/memory.js';
import { readPythonThreads } from '../../linux/runtimes/python/threads.js';
import { lineAt, linetableBytesMax } from './lines.js';

const framesMax = 100;
/** A frame that only marks the entry from C has no code. */
const ownedByC = 3;
/** Fields of a `bytes` object. */
const bytesObject = { length: 16, first: 32 } as const;

/** Frames of each thread by its tid in its own pid namespace, innermost first. */
export type FramesByThread = Map<number, StackFrame[]>;

/** `tids`: the threads that the kernel lists. null: no CPython of a known version, or its memory is not readable. */
export function readPythonFrames(
  dir: ProcDir,
  memory: Memory,
  tids: ReadonlySet<number>,
): FramesByThread | null {
  const python = findPython(dir, memory);
  if (python === null) return null;
  const { layout } = python;
  const words = new PythonMemory(memory, layout);
  const threads = readPythonThreads(words, python, tids);
  return threads === null
    ? null
    : new Map(threads.map(({ tid, record }) => [tid, framesOf(words, layout, record)]));
}

function framesOf(memory: PythonMemory, layout: PythonLayout, thread: number): StackFrame[] {
  const { innermost, frame } = layout;
  const first = innermost.reduce((address, field) => memory.field(address, field), thread);
  return memory
    .list(first, frame.previous, framesMax)
    .flatMap((address) => frameAt(memory, layout, address) ?? []);
}

function frameAt(memory: PythonMemory, { frame, code }: PythonLayout, address: number): StackFrame | null {
  const owner = memory.bytes(address + frame.owner, 1)?.[0];
  const object = memory.field(address, frame.code);
  if (owner === undefined || owner === ownedByC || object === 0) return null;
  const name = memory.text(memory.field(object, code.qualname));
  const file = memory.text(memory.field(object, code.filename));
  if (name === null || file === null) return null;
  const offset = memory.field(address, frame.instruction) - (object + code.start);
  return { function: name, file, line: lineOf(memory, code, object, offset) };
}

function lineOf(
  memory: PythonMemory,
  { firstLine, linetable }: PythonLayout['code'],
  code: number,
  offset: number,
): number | null {
  const first = memory.uint32(code + firstLine);
  const table = memory.field(code, linetable);
  const size = memory.field(table, bytesObject.length);
  if (first === null || size <= 0 || size > linetableBytesMax || offset < 0) return null;
  const bytes = memory.bytes(table + bytesObject.first, size);
  return bytes === null ? null : lineAt(bytes, first, offset);
}

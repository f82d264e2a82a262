import type { StackFrame } from '../../../model/facts/stack.js';
import type { Memory } from '../../linux/proc/mem.js';
import type { ProcDir } from '../../linux/proc/proc-dir.js';
import { findPython, type PythonLayout } from '../../linux/runtimes/python/layout.js';
import { PythonMemory, readPythonThreads } from '../../linux/runtimes/python/memory.js';

/** Longer tables are not read. */
const linetableBytesMax = 64 * 1024;

const codes = { none: 15, long: 14, noColumns: 13, oneLine: 10 } as const;

/** The line of the instruction at this offset (in bytes), by the location table of PEP 657; null: it has none. */
export function lineAt(table: Uint8Array, firstLine: number, offset: number): number | null {
  let line = firstLine;
  let start = 0;
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; at < table.length && shift < 30; shift += 6) {
      const byte = table[at++] as number;
      value += (byte & 63) * 2 ** shift;
      if ((byte & 64) === 0) break;
    }
    return value;
  };
  const signed = (): number => {
    const value = varint();
    return value % 2 === 1 ? -Math.floor(value / 2) : value / 2;
  };
  while (at < table.length) {
    const first = table[at++] as number;
    if (first < 128) return null;
    const code = (first >> 3) & 15;
    const end = start + ((first & 7) + 1) * 2;
    if (code === codes.long) {
      line += signed();
      varint();
      varint();
      varint();
    } else if (code === codes.noColumns) line += signed();
    else if (code >= codes.oneLine && code !== codes.none) {
      line += code - codes.oneLine;
      at += 2;
    } else if (code !== codes.none) at += 1;
    if (offset < end) return code === codes.none || line < 1 ? null : line;
    start = end;
  }
  return null;
}

const framesMax = 100;
/** A frame that only marks the entry from C has no code. */
const ownedByC = 3;
/** Fields of a `bytes` object. */
const bytesObject = { length: 16, first: 32 } as const;

/** Frames of each thread by its tid in its own pid namespace, innermost first. */
export type FramesByThread = Map<number, StackFrame[]>;

/**
 * `tids`: the threads that the kernel lists; `wanted`: those whose frames are read. null: no CPython of a known version, or its memory is
 * not readable.
 */
export function readPythonFrames(
  dir: ProcDir,
  memory: Memory,
  tids: ReadonlySet<number>,
  wanted: ReadonlySet<number> = tids,
): FramesByThread | null {
  const python = findPython(dir, memory);
  if (python === null) return null;
  const { layout } = python;
  const words = new PythonMemory(memory, layout);
  const threads = readPythonThreads(words, python, tids);
  return threads === null
    ? null
    : new Map(
        threads
          .filter(({ tid }) => wanted.has(tid))
          .map(({ tid, record }) => [tid, framesOf(words, layout, record)]),
      );
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

import type { Memory } from '../../proc/mem.js';
import type { ProcDir } from '../../proc/proc-dir.js';
import { uint32At } from '../java/memory.js';
import { findImage } from '../loaded-image.js';

/** Where CPython keeps its threads and frames, in bytes; the same on every 64-bit machine. */
export interface PythonLayout {
  /** In `_PyRuntime`. */
  interpretersHead: number;
  interpreter: { next: number; threadsHead: number };
  /** `ident`: the id of the C library. `chunk`: the newest piece of its own stack; the end of the used part follows. */
  thread: { next: number; nativeId: number; ident: number; chunk: number };
  /** Fields to follow from a thread to its innermost frame. */
  innermost: readonly number[];
  frame: { code: number; instruction: number; previous: number; owner: number };
  /** In a generator: its frame. */
  generator: { frame: number };
  code: {
    names: number;
    filename: number;
    qualname: number;
    firstLine: number;
    linetable: number;
    start: number;
  };
  /** Where the characters of a `str` begin. */
  text: { ascii: number; compact: number };
}

const code = { names: 32, filename: 112, qualname: 128, linetable: 136 } as const;

/** From the headers of each version (`pycore_*.h`). Another version may have another layout. */
const layouts: Record<string, PythonLayout> = {
  '3.11': {
    interpretersHead: 40,
    interpreter: { next: 0, threadsHead: 16 },
    thread: { next: 8, nativeId: 160, ident: 152, chunk: 296 },
    innermost: [56, 8],
    frame: { code: 32, instruction: 56, previous: 48, owner: 69 },
    generator: { frame: 80 },
    code: { ...code, firstLine: 72, start: 184 },
    text: { ascii: 48, compact: 72 },
  },
  '3.12': {
    interpretersHead: 40,
    interpreter: { next: 0, threadsHead: 72 },
    thread: { next: 8, nativeId: 144, ident: 136, chunk: 232 },
    innermost: [56, 0],
    frame: { code: 0, instruction: 56, previous: 8, owner: 70 },
    generator: { frame: 72 },
    code: { ...code, firstLine: 68, start: 192 },
    text: { ascii: 40, compact: 56 },
  },
  '3.13': {
    interpretersHead: 632,
    interpreter: { next: 7264, threadsHead: 7344 },
    thread: { next: 8, nativeId: 160, ident: 152, chunk: 232 },
    innermost: [72],
    frame: { code: 0, instruction: 56, previous: 8, owner: 70 },
    generator: { frame: 72 },
    code: { ...code, firstLine: 68, start: 200 },
    text: { ascii: 40, compact: 56 },
  },
};

/** By the value of `Py_Version`; null: an unknown version. */
function pythonLayout(version: number): PythonLayout | null {
  return layouts[`${(version >>> 24) & 0xff}.${(version >>> 16) & 0xff}`] ?? null;
}

/** An interpreter as loaded in a process. */
export interface LoadedPython {
  layout: PythonLayout;
  /** The address of `_PyRuntime`. */
  runtime: number;
}

/** null: no CPython of a known version, or its memory is not readable. */
export function findPython(dir: ProcDir, memory: Memory): LoadedPython | null {
  const executable = dir.link('exe');
  const image =
    findImage(dir, (path) => /\/libpython3\.\d+[a-z]*\.so/.test(path)) ??
    findImage(dir, (path) => path === executable);
  const symbols = image?.symbols(['_PyRuntime', 'Py_Version']);
  const [runtime, version] = [symbols?.get('_PyRuntime'), symbols?.get('Py_Version')];
  if (image === null || runtime === undefined || version === undefined) return null;
  const number = uint32At(memory, image.base + BigInt(version));
  const layout = number === null ? null : pythonLayout(number);
  return layout === null ? null : { layout, runtime: Number(image.base) + runtime };
}

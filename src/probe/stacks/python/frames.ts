import { isAbsent } from '../../../model/facts/absence.js';
import type { StackFrame } from '../../../model/facts/stack.js';
import type { Memory } from '../../linux/proc/mem.js';
import type { ProcDir } from '../../linux/proc/proc-dir.js';
import { bytesAt, uint32At, wordAt } from '../../linux/runtimes/java/memory.js';
import { findImage } from '../../linux/runtimes/loaded-image.js';
import { type PythonLayout, pythonLayout } from './layout.js';
import { lineAt, linetableBytesMax } from './lines.js';

const interpretersMax = 16;
const threadsMax = 256;
const framesMax = 100;
const textCharsMax = 1024;
/** A frame that only marks the entry from C has no code. */
const ownedByC = 3;
/** The shift of the bits that show how a `str` is stored; the bits below show whether it is interned. */
const kindShift = 2;

/** Frames of each thread by its tid, innermost first. */
export type FramesByThread = Map<number, StackFrame[]>;

/** null: no CPython of a known version, or its memory is not readable. */
export function readPythonFrames(dir: ProcDir, memory: Memory): FramesByThread | null {
  const executable = dir.link('exe');
  const image =
    findImage(dir, (path) => /\/libpython3\.\d+[a-z]*\.so/.test(path)) ??
    findImage(dir, (path) => path === executable);
  const symbols = image?.symbols(['_PyRuntime', 'Py_Version']);
  const [runtime, version] = [symbols?.get('_PyRuntime'), symbols?.get('Py_Version')];
  if (image === null || runtime === undefined || version === undefined) return null;
  const number = uint32At(memory, image.base + BigInt(version));
  const layout = number === null ? null : pythonLayout(number);
  const tids = dir.numbers('task');
  if (layout === null || isAbsent(tids)) return null;
  return new PythonStacks(memory, layout).read(image.base + BigInt(runtime), new Set(tids));
}

/** Walks interpreters, threads and frames. A thread that the kernel does not list is ignored. */
export class PythonStacks {
  readonly #memory: Memory;
  readonly #layout: PythonLayout;
  readonly #texts = new Map<bigint, string | null>();

  constructor(memory: Memory, layout: PythonLayout) {
    this.#memory = memory;
    this.#layout = layout;
  }

  read(runtime: bigint, tids: ReadonlySet<number>): FramesByThread | null {
    const { interpretersHead, interpreter, thread } = this.#layout;
    const stacks: FramesByThread = new Map();
    const heads = this.#list(this.#word(runtime, interpretersHead), interpreter.next, interpretersMax);
    for (const head of heads) {
      for (const state of this.#list(this.#word(head, interpreter.threadsHead), thread.next, threadsMax)) {
        const tid = Number(this.#word(state, thread.nativeId));
        if (!tids.has(tid)) return null;
        stacks.set(tid, this.#frames(state));
      }
    }
    return stacks.size === 0 ? null : stacks;
  }

  #frames(thread: bigint): StackFrame[] {
    const { innermost, frame } = this.#layout;
    const first = innermost.reduce((address, field) => this.#word(address, field), thread);
    return this.#list(first, frame.previous, framesMax).flatMap((address) => this.#frame(address) ?? []);
  }

  #frame(address: bigint): StackFrame | null {
    const { frame, code } = this.#layout;
    const owner = bytesAt(this.#memory, address + BigInt(frame.owner), 1)?.[0];
    const object = this.#word(address, frame.code);
    if (owner === undefined || owner === ownedByC || object === 0n) return null;
    const name = this.#text(this.#word(object, code.qualname));
    const file = this.#text(this.#word(object, code.filename));
    if (name === null || file === null) return null;
    const offset = this.#word(address, frame.instruction) - (object + BigInt(code.start));
    return { function: name, file, line: this.#line(object, offset) };
  }

  #line(code: bigint, offset: bigint): number | null {
    const { firstLine, linetable } = this.#layout.code;
    const first = uint32At(this.#memory, code + BigInt(firstLine));
    const table = this.#word(code, linetable);
    const size = Number(this.#word(table, 16));
    if (first === null || size <= 0 || size > linetableBytesMax || offset < 0n) return null;
    const bytes = bytesAt(this.#memory, table + 32n, size);
    return bytes === null ? null : lineAt(bytes, first, Number(offset));
  }

  /** A `str` in its compact form; null: not a `str`, or too long to be a name. */
  #text(address: bigint): string | null {
    const known = this.#texts.get(address);
    if (known !== undefined) return known;
    const text = this.#readText(address);
    this.#texts.set(address, text);
    return text;
  }

  #readText(address: bigint): string | null {
    const { ascii, compact } = this.#layout.text;
    const length = Number(this.#word(address, 16));
    const state = uint32At(this.#memory, address + 32n);
    if (state === null || length <= 0 || length > textCharsMax) return null;
    const flags = state >>> kindShift;
    const kind = flags & 7;
    const isCompact = (flags & 8) !== 0;
    const isAscii = (flags & 16) !== 0;
    if (!isCompact || (kind !== 1 && kind !== 2 && kind !== 4)) return null;
    const data = address + BigInt(isAscii ? ascii : compact);
    const bytes = bytesAt(this.#memory, data, length * kind);
    if (bytes === null) return null;
    if (kind === 1) return bytes.toString('latin1');
    if (kind === 2) return bytes.toString('utf16le');
    const points = Array.from({ length }, (_, index) => bytes.readUInt32LE(index * 4));
    return points.every((point) => point <= 0x10ffff) ? String.fromCodePoint(...points) : null;
  }

  #word(address: bigint, field: number): bigint {
    return address === 0n ? 0n : (wordAt(this.#memory, address + BigInt(field)) ?? 0n);
  }

  #list(first: bigint, next: number, max: number): bigint[] {
    const addresses: bigint[] = [];
    for (let address = first; address !== 0n && addresses.length < max; address = this.#word(address, next))
      addresses.push(address);
    return addresses;
  }
}

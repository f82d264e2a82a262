import { isAbsent } from '../../../../model/facts/absence.js';
import type { ThreadFacts } from '../../../../model/facts/snapshot.js';
import type { Memory } from '../../proc/mem.js';
import type { ProcDir } from '../../proc/proc-dir.js';
import { findPython, type PythonLayout } from './layout.js';
import { PythonMemory, readPythonThreads } from './memory.js';

/** `Popen.wait` with a limit checks its child at least this often. */
const pollMsMax = 50;
const sleeps: ReadonlySet<string> = new Set(['clock_nanosleep', 'nanosleep', 'select', 'pselect6']);
/** A frame that marks the entry from C may be the innermost one. */
const framesMax = 3;
const localsMax = 32;
/** The same in 3.11 to 3.13: the names of the variables of a function, and where a frame has their values. */
const variables = { names: 96, values: 72 } as const;
const tuple = { length: 16, first: 24 } as const;
const floatValue = 16;
const dayMs = 24 * 3600 * 1000;

function polls({ call }: ThreadFacts): boolean {
  if (isAbsent(call) || call.at !== 'call' || !sleeps.has(call.name)) return false;
  const { timeout } = call;
  return timeout !== undefined && !isAbsent(timeout) && timeout.ms !== null && timeout.ms <= pollMsMax;
}

/**
 * What is left of the time that `subprocess.run(…, timeout=…)` gives its child. Without output to collect Python asks for the
 * end of the child again and again: the kernel shows naps, and only a variable of the function has the limit. null: no thread
 * does so.
 */
export function readChildLimit(
  dir: ProcDir,
  memory: Memory,
  threads: readonly ThreadFacts[],
  nowMs: number,
): number | null {
  const polling = new Set(threads.filter(polls).map(({ namespaceTid }) => namespaceTid));
  const python = polling.size === 0 ? null : findPython(dir, memory);
  if (python === null) return null;
  const { layout } = python;
  const words = new PythonMemory(memory, layout);
  const all = new Set(threads.map(({ namespaceTid }) => namespaceTid));
  const lefts = (readPythonThreads(words, python, all) ?? [])
    .filter(({ tid }) => polling.has(tid))
    .flatMap(({ record }) => deadlineOf(words, layout, record) ?? [])
    .map((deadlineMs) => Math.round(deadlineMs - nowMs))
    .filter((leftMs) => leftMs > -pollMsMax && leftMs < dayMs);
  return lefts.length === 0 ? null : Math.max(0, Math.min(...lefts));
}

/** When the limit ends, on the monotonic clock of its process; null: the thread does something else. */
function deadlineOf(memory: PythonMemory, layout: PythonLayout, record: number): number | null {
  const { innermost, frame, code } = layout;
  const first = innermost.reduce((address, field) => memory.field(address, field), record);
  for (const address of memory.list(first, frame.previous, framesMax)) {
    const object = memory.field(address, frame.code);
    if (memory.typeOf(object) !== 'code') continue;
    if (memory.text(memory.field(object, code.qualname)) !== 'Popen._wait') return null;
    const names = memory.field(object, variables.names);
    const count = Math.min(memory.field(names, tuple.length), localsMax);
    const index = memory
      .words(names + tuple.first, count)
      .findIndex((name) => memory.text(name) === 'endtime');
    const value = index < 0 ? 0 : memory.word(address + variables.values + index * 8);
    if (memory.typeOf(value) !== 'float') return null;
    const seconds = memory.bytes(value + floatValue, 8)?.readDoubleLE(0);
    return seconds === undefined || !Number.isFinite(seconds) ? null : seconds * 1000;
  }
  return null;
}

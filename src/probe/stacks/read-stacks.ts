import { isAbsent } from '../../model/facts/absence.js';
import type { ProcessFacts } from '../../model/facts/snapshot.js';
import type { ProcessStacks, RunningTest, ThreadStack } from '../../model/facts/stack.js';
import { Memory } from '../linux/proc/mem.js';
import { ProcDir } from '../linux/proc/proc-dir.js';
import { parseSchedstat } from '../linux/proc/schedstat.js';
import { parseStat } from '../linux/proc/stat.js';
import { bytesAt, Texts, wordAt } from '../linux/runtimes/java/memory.js';
import { findImage } from '../linux/runtimes/loaded-image.js';
import { readGoStacks } from './go/frames.js';
import { readPythonFrames } from './python/frames.js';

const variablesMax = 4096;

/**
 * The present value of a variable in the program. /proc/PID/environ shows only the environment of the start; a variable
 * that a program sets later is found through the C library's `environ`. null: not set, or not readable.
 */
function readLiveVariable(dir: ProcDir, memory: Memory, name: string): string | null {
  const executable = dir.link('exe');
  if (isAbsent(executable)) return null;
  // An executable at a fixed address has its own copy, which counts.
  const images = [
    findImage(dir, (path) => path === executable),
    findImage(dir, (path) => /\/libc(?:\.so\.6|-2\.\d+\.so|\.musl-[^/]+)$/.test(path)),
  ];
  for (const image of images) {
    const symbol = image?.symbols(['environ'])?.get('environ');
    if (image === null || symbol === undefined) continue;
    const list = wordAt(memory, image.base + BigInt(symbol));
    return list === null ? null : findVariable(memory, list, name);
  }
  return null;
}

function findVariable(memory: Memory, list: bigint, name: string): string | null {
  const texts = new Texts(memory);
  for (let index = 0n; index < variablesMax; index += 1n) {
    const address = wordAt(memory, list + index * 8n);
    if (address === null || address === 0n) return null;
    const head = bytesAt(memory, address, name.length + 1)?.toString('latin1');
    if (head !== `${name}=`) continue;
    const text = texts.at(address);
    return text === null
      ? null
      : Buffer.from(text, 'latin1')
          .toString('utf8')
          .slice(name.length + 1);
  }
  return null;
}

const processesMax = 8;
const threadsMax = 64;

type Subject = Pick<ProcessFacts, 'pid' | 'startTicks' | 'runtime' | 'threads'>;

/** A thread that polls may run while it is read. It is read again at most this often. */
const readsMax = 4;

/**
 * Code of processes, read from their memory: nothing is stopped, signalled or traced. Only facts of one moment are
 * returned: a thread that ran whenever it was read is left out.
 */
export function readStacks(processes: readonly Subject[]): ProcessStacks[] {
  return processes
    .filter(({ runtime }) => runtime === 'python' || runtime === 'go')
    .slice(0, processesMax)
    .flatMap((process) => readOne(process) ?? []);
}

function readOne(process: Subject): ProcessStacks | null {
  const dir = ProcDir.open(process.pid);
  if (isAbsent(dir)) return null;
  const memory = Memory.of(dir, null);
  try {
    const stat = dir.bytes('stat');
    if (isAbsent(stat) || parseStat(stat)?.startTicks !== process.startTicks) return null;
    return process.runtime === 'go' ? readGo(dir, memory) : readPython(process, dir, memory);
  } finally {
    memory.close();
    dir.close();
  }
}

function readPython(process: Subject, dir: ProcDir, memory: Memory): ProcessStacks | null {
  const { pid } = process;
  const stacks = new Map<number, ThreadStack>();
  for (let reads = 0; reads < readsMax; reads += 1) {
    const { still, hasMoved } = readStillThreads(process, dir, memory);
    for (const stack of still) stacks.set(stack.tid ?? pid, stack);
    if (!hasMoved) break;
  }
  const test = pytestTest(readLiveVariable(dir, memory, 'PYTEST_CURRENT_TEST'));
  if (stacks.size === 0 && test === null) return null;
  return { pid, threads: [...stacks.values()], ...(test === null ? {} : { test }) };
}

/** The stacks of threads that did not run meanwhile. */
function readStillThreads(
  { pid, threads }: Subject,
  dir: ProcDir,
  memory: Memory,
): { still: ThreadStack[]; hasMoved: boolean } {
  const shown = threads.slice(0, threadsMax);
  const counters = shown.map((thread) => ({ thread, counter: counterOf(dir, thread.tid) }));
  const idsOf = (all: typeof threads) => new Set(all.map(({ namespaceTid }) => namespaceTid));
  const frames = readPythonFrames(dir, memory, idsOf(threads), idsOf(shown));
  const still = counters.filter(
    ({ thread, counter }) => counter !== null && counterOf(dir, thread.tid) === counter,
  );
  const stacks = still.flatMap(({ thread: { tid, name, namespaceTid } }): ThreadStack[] => {
    const own = frames?.get(namespaceTid);
    return own === undefined ? [] : [{ pid, tid, name, language: 'python', from: 'memory', frames: own }];
  });
  return { still: stacks, hasMoved: still.length < counters.length };
}

function readGo(dir: ProcDir, memory: Memory): ProcessStacks | null {
  const { pid } = dir;
  const stacks = readGoStacks(dir, memory)?.map(
    ({ name, frames }): ThreadStack => ({ pid, tid: null, name, language: 'go', from: 'memory', frames }),
  );
  return stacks === undefined ? null : { pid, threads: stacks.slice(0, threadsMax) };
}

/** `test_locks.py::test_two_locks (call)`, as pytest exports it while a test runs. */
export function pytestTest(value: string | null): RunningTest | null {
  const match = value === null ? null : /^(.{1,500}?)(?: \((?:setup|call|teardown)\))?$/s.exec(value);
  const name = match?.[1];
  if (name === undefined) return null;
  return { name, file: name.split('::')[0] ?? null, line: null, from: 'environment' };
}

function counterOf(dir: ProcDir, tid: number): number | null {
  const text = dir.text(`task/${tid}/schedstat`);
  const counter = isAbsent(text) ? null : (parseSchedstat(text)?.counter ?? null);
  return counter === 0 ? null : counter;
}

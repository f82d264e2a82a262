import { type Absent, isAbsent } from '../../../../model/facts/absence.js';
import {
  type GoroutineFacts,
  type GoroutineGraph,
  sharedReasons,
} from '../../../../model/facts/goroutines.js';
import type { ThreadFacts } from '../../../../model/facts/snapshot.js';
import type { Memory } from '../../proc/mem.js';
import type { ProcDir } from '../../proc/proc-dir.js';
import type { CpuBudget } from '../cpu-budget.js';
import { readObjects } from '../elf-symbols.js';
import { sleepersOf } from '../java/monitors.js';
import { type ListedGoroutine, mergeGraphs, readGraph } from './graph.js';
import { goroutineAt, status } from './layout.js';
import { provePlace, readList } from './list.js';
import { eachRecord, failed, reasonNames } from './memory.js';
import { type GoPlaces, type LoadedPlaces, readGoMemo, readGoPlaces } from './places.js';

/** The thread asleep on a futex at this address. */
function sleeperAt(threads: readonly ThreadFacts[], address: number): number | null {
  const sleeper = threads.find(
    ({ call }) => !isAbsent(call) && call.at === 'call' && Number(call.futex?.address) === address,
  );
  return sleeper?.tid ?? null;
}

/** Reads the list of all goroutines. Its content is checked before it is used. */
export function parseGoroutines(
  memory: Memory,
  places: GoPlaces,
  threads: readonly ThreadFacts[],
): GoroutineFacts | Absent {
  const read = readGoroutineList(memory, places, threads);
  return isAbsent(read) ? read : read.facts;
}

interface Listed {
  facts: GoroutineFacts;
  all: ListedGoroutine[];
  /** Goroutines on a CPU: their stacks cannot be read. */
  onCpu: number;
}

/** `threads`: one of them takes signals for the program. */
export function readGoroutineList(
  memory: Memory,
  places: GoPlaces,
  threads: readonly ThreadFacts[],
): Listed | Absent {
  const list = readList(memory, places.goroutines);
  if (isAbsent(list)) return list;
  const nameOf = reasonNames(memory, places.reasons);
  const place = provePlace(memory, list, nameOf);
  if (place === null) return { absent: 'unsupported' };
  const waits = new Map<string, number>();
  const all: ListedGoroutine[] = [];
  let running = 0;
  let onCpu = 0;
  let inCalls = 0;
  const complete = eachRecord(memory, list.addresses, (bytes, at, address) => {
    const goroutine = goroutineAt(bytes, at + place);
    if (goroutine === null) return false;
    const { status: state, id, since } = goroutine;
    if (state === status.idle || state === status.dead || state === status.deadExtra) return true;
    const reason = state === status.waiting ? nameOf(goroutine.reason) : null;
    all.push({ address, id, since, reason });
    if (state === status.waiting) {
      if (reason === null) return false;
      waits.set(reason, (waits.get(reason) ?? 0) + 1);
    } else if (state === status.inCall) inCalls += 1;
    else running += 1;
    if (state !== status.waiting && state !== status.inCall && state !== status.runnable) onCpu += 1;
    return true;
  });
  if (!complete) return failed;
  const facts = {
    waits: [...waits].map(([reason, count]) => ({ reason, count })),
    running,
    inCalls,
    signals: places.signals === null ? null : sleeperAt(threads, places.signals),
    unread: list.unread,
  };
  return { facts, all, onCpu };
}

/** A program that ticks runs for an instant now and then: one of these attempts finds it at rest, as a rule. */
const triesMax = 3;
const readingsMin = 2;

/** Which goroutines could wake which: of one moment, or the common part of several readings. */
function readGraphAtRest(
  dir: ProcDir,
  memory: Memory,
  places: LoadedPlaces,
  threads: readonly ThreadFacts[],
): GoroutineGraph | Absent {
  const { counter } = sleepersOf(dir);
  const counters = (): string => threads.map(({ tid }) => counter(tid) ?? 'unknown').join();
  const memo = readGoMemo(dir, places);
  if (memo.objects === undefined) memo.objects = readObjects(dir.path('exe'));
  const program = { memory, parts: places.variables, memo };
  const readings: GoroutineGraph[] = [];
  for (let tries = 0; tries < triesMax; tries += 1) {
    const before = counters();
    const listed = readGoroutineList(memory, places, threads);
    if (isAbsent(listed)) return listed;
    const clockNs = Number(process.hrtime.bigint());
    const graph = listed.onCpu > 0 ? failed : readGraph(program, listed.all, clockNs);
    if (isAbsent(graph) && graph.absent !== 'failed') return graph;
    if (isAbsent(graph)) continue;
    if (!before.includes('unknown') && counters() === before) return graph;
    readings.push(graph);
  }
  return readings.length < readingsMin ? failed : mergeGraphs(readings);
}

function hasShared({ waits, unread }: GoroutineFacts): boolean {
  return unread === 0 && waits.some(({ reason }) => sharedReasons.has(reason));
}

/** The goroutines in the scheduler of a Go program: of one moment, if none of its threads runs meanwhile. */
export function readGoroutines(
  dir: ProcDir,
  memory: Memory,
  threads: readonly ThreadFacts[],
  budget: CpuBudget,
): GoroutineFacts | Absent {
  const places = readGoPlaces(dir, memory);
  if (isAbsent(places)) return places;
  const facts = parseGoroutines(memory, places, threads);
  if (isAbsent(facts) || !hasShared(facts)) return facts;
  const graph = budget.spend(() => readGraphAtRest(dir, memory, places, threads));
  return { ...facts, graph: graph ?? { absent: 'limit' } };
}

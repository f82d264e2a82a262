import { type Absent, isAbsent, type Source } from '../../../model/facts/absence.js';
import type { BlockedCall, CallFacts, ThreadFacts } from '../../../model/facts/snapshot.js';
import { isNameless } from '../holders/nameless.js';
import type { Clock, Kernel, ProcessDir } from '../kernel/kernel.js';
import { readChildrenIn } from '../proc/children.js';
import { sharedMappingAt } from '../proc/maps.js';
import type { Memory } from '../proc/mem.js';
import { parseExecStartMs, parseSchedstat, type Schedstat } from '../proc/schedstat.js';
import { parseStat, parseTaskStat, type Stat } from '../proc/stat.js';
import { parseStatus } from '../proc/status.js';
import { parseSyscall, resumedName } from '../proc/syscall.js';
import { type CallContext, decodeArguments } from './arguments.js';

/** What all threads of a process share while it is being read. */
export interface ThreadContext {
  kernel: Kernel;
  dir: ProcessDir;
  memory: Memory;
  names: ReadonlyMap<number, string> | null;
  inNamespace: boolean;
  withheld: ReadonlySet<Source>;
  miss(source: Source, absent: Absent): void;
}

/** A thread between the two passes. */
export interface ThreadReading {
  facts: ThreadFacts;
  first: Schedstat | null;
  line: string | null;
}

const milli = 1e6;

function schedstat(context: ThreadContext, tid: number): Schedstat | null {
  const text = context.dir.text(`task/${tid}/schedstat`);
  if (!isAbsent(text)) return parseSchedstat(text);
  if (text.absent !== 'gone') context.miss('schedstat', text);
  return null;
}

function syscallText(context: ThreadContext, tid: number): string | Absent {
  if (context.withheld.has('syscall')) return { absent: 'withheld' };
  return context.dir.text(`task/${tid}/syscall`);
}

function readCall(context: ThreadContext, tid: number): { call: CallFacts | Absent; line: string | null } {
  const text = syscallText(context, tid);
  if (isAbsent(text)) {
    context.miss('syscall', text);
    return { call: text, line: null };
  }
  const parsed = parseSyscall(text);
  if (parsed === null) return { call: { absent: 'failed' }, line: null };
  if (parsed.at !== 'call') return { call: parsed, line: null };
  if (context.names === null) {
    context.miss('syscall', { absent: 'unsupported' });
    return { call: { absent: 'unsupported' }, line: null };
  }
  const known = context.names.get(parsed.number) ?? `syscall ${parsed.number}`;
  const resumed = known === 'restart_syscall';
  const name = resumed ? resumedName(parsed.args) : known;
  const call: BlockedCall = {
    at: 'call',
    number: parsed.number,
    name,
    args: parsed.args.map((arg) => `0x${arg.toString(16)}`),
    repeated: false,
    ...(resumed ? { resumed } : {}),
    ...decodeArguments(name, callContext(context, parsed.args)),
  };
  const unread = [call.timeout, call.watched, call.futex?.words, call.path, call.signalMask].find(isAbsent);
  if (unread !== undefined) context.miss('mem', unread);
  return { call, line: parsed.line };
}

/** Clocks other than the wall clock may be set back or forth in a time namespace (time_namespaces(7)). */
function clockOffsetMs(dir: ProcessDir, clock: Clock): number {
  const offsets = clock === 'realtime' ? '' : dir.text('timens_offsets');
  const match = isAbsent(offsets) ? null : new RegExp(`^${clock}\\s+(-?\\d+)\\s+(\\d+)`, 'm').exec(offsets);
  return match === null ? 0 : Number(match[1]) * 1000 + Number(match[2]) / milli;
}

function callContext(context: ThreadContext, args: readonly bigint[]): CallContext {
  return {
    args,
    memory: context.memory,
    clockMs: (clock) => context.kernel.clockMs(clock, context.dir.pid) + clockOffsetMs(context.dir, clock),
    sharedMapping(address) {
      const maps = context.dir.text('maps');
      if (!isAbsent(maps)) {
        return sharedMappingAt(maps, address, (file) => isNameless(context.dir, file));
      }
      context.miss('maps', maps);
      return null;
    },
  };
}

function offCpuMs(context: ThreadContext, tid: number, cpu: number): number | null {
  const bytes = context.dir.bytes(`task/${tid}/sched`);
  const last = isAbsent(bytes) ? null : parseExecStartMs(bytes);
  const nowMs = last === null ? null : context.kernel.schedNowMs(cpu, context.dir.pid);
  return last === null || nowMs === null ? null : Math.max(0, Math.round(nowMs - last));
}

function namespaceTid(context: ThreadContext, tid: number): number {
  if (!context.inNamespace) return tid;
  const text = context.dir.text(`task/${tid}/status`);
  return isAbsent(text) ? tid : (parseStatus(text).namespacePids.at(-1) ?? tid);
}

function statOf<T>(context: ThreadContext, tid: number, parse: (bytes: Buffer) => T | null): T | null {
  const bytes = context.dir.bytes(`task/${tid}/stat`);
  return Buffer.isBuffer(bytes) ? parse(bytes) : null;
}

/** First pass. The counter is read before everything it vouches for. */
export function readThread(context: ThreadContext, tid: number): ThreadReading | null {
  const first = schedstat(context, tid);
  const stat = statOf(context, tid, parseTaskStat);
  if (stat === null) return null;
  const { call, line } = readCall(context, tid);
  const wchan = context.dir.text(`task/${tid}/wchan`);
  return {
    first,
    line,
    facts: {
      tid,
      namespaceTid: namespaceTid(context, tid),
      name: stat.name,
      state: stat.state,
      laterState: stat.state,
      counter: first?.counter ?? null,
      moved: null,
      ranMs: 0,
      delayedMs: 0,
      offCpuMs: offCpuMs(context, tid, stat.processor),
      call,
      wchan: isAbsent(wchan) || wchan === '0' || wchan === '' ? null : wchan,
    },
  };
}

/**
 * Second pass: whether the thread ran in between, and if so, whether it came back to the same call. `stat`: of the leader, as
 * it is now.
 */
export function readThreadAgain(
  context: ThreadContext,
  reading: ThreadReading,
): { facts: ThreadFacts; stat: Stat | null } {
  const { facts, first, line } = reading;
  const second = schedstat(context, facts.tid);
  const stat = facts.tid === context.dir.pid ? statOf(context, facts.tid, parseStat) : null;
  const now = stat ?? statOf(context, facts.tid, parseTaskStat);
  if (now === null) return { facts: { ...facts, moved: true, laterState: 'X' }, stat };
  const { state } = now;
  const later = { ...facts, laterState: state };
  // A kernel without schedstat prints zeros for ever: the counter is no version number, so it proves nothing.
  if (first === null || second === null || second.counter === 0) return { facts: later, stat };
  // Woken but not yet scheduled in: the counter stands still although the wait is over.
  const woken = facts.state !== 'R' && state === 'R';
  later.moved = woken || second.counter !== first.counter || second.ranNs !== first.ranNs;
  later.ranMs = (second.ranNs - first.ranNs) / milli;
  later.delayedMs = (second.delayedNs - first.delayedNs) / milli;
  if (later.moved && line !== null && !isAbsent(later.call) && later.call.at === 'call') {
    const again = syscallText(context, facts.tid);
    later.call = { ...later.call, repeated: !isAbsent(again) && again.trim() === line };
  }
  return { facts: later, stat };
}

/**
 * In the order in which they were made, whatever the order of the directory. All threads are younger than
 * the leader: numbers below its own were given after the kernel had begun again with the smallest.
 */
export function leaderFirst(tids: readonly number[], pid: number): number[] {
  return tids.toSorted((a, b) => Number(a < pid) - Number(b < pid) || a - b);
}

function hasNew(now: readonly number[] | Absent, known: ReadonlySet<number>): boolean {
  return !isAbsent(now) && now.some((id) => !known.has(id));
}

/** Whether a process has a thread that was not there when they were listed first. */
export function hasNewThread(dir: ProcessDir, tids: ReadonlySet<number>): boolean {
  return hasNew(dir.numbers('task'), tids);
}

/**
 * Whether a process has a child that was not there when they were listed first, after the second pass over its threads. A
 * thread that stood still made none; but another process may have left one, which the first living thread gets.
 */
export function hasNewChild(
  { files }: Kernel,
  dir: ProcessDir,
  threads: readonly ThreadFacts[],
  children: readonly number[],
): boolean {
  const first = threads.find(({ laterState }) => laterState !== 'Z' && laterState !== 'X');
  const parents = threads.filter((thread) => thread === first || thread.moved !== false);
  const tids = parents.map(({ tid }) => tid);
  return hasNew(readChildrenIn(dir, tids, files), new Set(children));
}

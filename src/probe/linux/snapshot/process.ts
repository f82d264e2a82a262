import { type Absent, isAbsent, type Source } from '../../../model/facts/absence.js';
import type { IoFacts, ProcessFacts } from '../../../model/facts/snapshot.js';
import { maskedArguments } from '../identity/command-line.js';
import { readExecutable } from '../identity/executable.js';
import type { ProcessDir } from '../kernel/kernel.js';
import type { CgroupState } from '../proc/cgroup.js';
import { readChildrenIn } from '../proc/children.js';
import { countEndingTimers, countTimers, type IoCounters, parseIo } from '../proc/counters.js';
import { runIdIn } from '../proc/environ.js';
import { fdsMax, readFds, terminalName } from '../proc/fd.js';
import { Memory } from '../proc/mem.js';
import { ProcDir } from '../proc/proc-dir.js';
import { isKernelThread, parseStat, type Stat } from '../proc/stat.js';
import { parseStatus } from '../proc/status.js';
import { syscallNames } from '../proc/syscall.js';
import { readGoroutines } from '../runtimes/go/scheduler.js';
import { type Monitors, withMonitors } from '../runtimes/java/monitors.js';
import { readLocks } from '../runtimes/lock-readers.js';
import { readChildLimit } from '../runtimes/python/child-limit.js';
import { addMovedFiles, type SearchedObjects } from './moved-files.js';
import type { ReadContext } from './read-context.js';
import {
  hasNewChild,
  hasNewThread,
  leaderFirst,
  readThread,
  readThreadAgain,
  type ThreadContext,
  type ThreadReading,
} from './thread.js';

export const threadsMax = 10_000;

/** Calls that hold the lock of the address space while blocked: cmdline, maps and mem could hang with it. */
const memoryCalls = new Set([
  'mmap',
  'munmap',
  'mremap',
  'mprotect',
  'brk',
  'madvise',
  'execve',
  'exit_group',
]);

function readStat(dir: ProcessDir): Stat | null {
  const bytes = dir.bytes('stat');
  return Buffer.isBuffer(bytes) ? parseStat(bytes) : null;
}

/** A process between the two passes. It holds its directory open so that a reused pid cannot be mistaken for it. */
export class ProcessReading {
  readonly pid: number;
  readonly facts: ProcessFacts;
  readonly #context: ReadContext;
  readonly #dir: ProcessDir;
  readonly #memory: Memory;
  readonly #thread: ThreadContext;
  readonly #readings: ThreadReading[] = [];
  readonly #tids: ReadonlySet<number>;
  /** The way to its open files. */
  readonly #base: string;
  /** Some files were closed while they were read. */
  readonly #closed: boolean;
  readonly #io: IoCounters | null;
  readonly #cgroup: CgroupState | null;
  readonly #monitors: Monitors;

  /** First pass over a process; absent: it is gone, or was not captured. */
  static start(context: ReadContext, pid: number, inTree: boolean): ProcessReading | Absent {
    const dir = context.kernel.open(pid);
    if (isAbsent(dir)) return dir;
    const stat = readStat(dir);
    if (stat === null) {
      dir.close();
      return { absent: 'gone' };
    }
    const reading = new ProcessReading(context, dir, stat, inTree);
    // The process ended after its stat was read and before its threads were.
    if (reading.facts.threads.length > 0) return reading;
    reading.close();
    return { absent: 'gone' };
  }

  private constructor(context: ReadContext, dir: ProcessDir, stat: Stat, inTree: boolean) {
    this.pid = dir.pid;
    this.#context = context;
    this.#dir = dir;
    const status = this.#parsed('status', parseStatus);
    const zombie = stat.state === 'Z';
    const tids = dir.numbers('task');
    const tasks = isAbsent(tids) ? [] : leaderFirst(tids, dir.pid);
    this.#tids = new Set(tasks);
    // A leader that ended while its threads go on shows no fd and no mem of its own.
    const way = zombie ? (tasks.find((tid) => tid !== dir.pid) ?? null) : null;
    const base = way === null ? '' : `task/${way}/`;
    const executable = isKernelThread(stat) ? null : readExecutable(dir, context.executables, base);
    this.#memory = context.withheld.has('mem') ? new Memory(() => ({ absent: 'withheld' })) : dir.memory(way);
    this.#thread = {
      kernel: context.kernel,
      dir,
      memory: this.#memory,
      names: executable?.is32Bit === true ? null : syscallNames(context.kernel.reader().arch),
      inNamespace: (status?.namespacePids.length ?? 1) > 1,
      withheld: context.withheld,
      miss: (source, absent) => this.#miss(source, absent),
    };
    if (tasks.length > threadsMax) this.#miss('stat', { absent: 'limit' }, `${threadsMax} threads`);
    for (const tid of tasks.slice(0, threadsMax)) {
      const reading = readThread(this.#thread, tid);
      if (reading !== null) this.#readings.push(reading);
    }
    this.#base = base;
    const { fds, closed, hidden } =
      zombie && way === null
        ? { fds: [], closed: false, hidden: false }
        : readFds(dir, base, terminalName(stat.terminal), dir.pid === context.readerPid);
    this.#closed = closed;
    if (isAbsent(fds)) this.#miss('fd', fds);
    else if (fds.length >= fdsMax) this.#miss('fd', { absent: 'limit' }, `${fdsMax} open files`);
    this.#io = zombie ? null : this.#parsed('io', parseIo);
    this.#cgroup = this.#readCgroup();
    const timers = dir.text('timers');
    if (isAbsent(timers)) this.#miss('timers', timers);
    const ending = isAbsent(timers) || status === null ? 0 : countEndingTimers(timers, status);
    // Copied at once: the next read overwrites the buffer.
    const environ = this.#mayBlock() ? null : dir.bytes('environ');
    const runId = Buffer.isBuffer(environ) ? runIdIn(environ) : null;
    this.facts = {
      pid: dir.pid,
      startTicks: stat.startTicks,
      parent: stat.parent,
      group: stat.group,
      session: stat.session,
      terminal: { number: stat.terminal, foregroundGroup: stat.foregroundGroup },
      inTree,
      name: stat.name,
      command: this.#command(stat),
      exe: executable?.path ?? null,
      runtime: executable?.runtime ?? null,
      uid: status?.uid ?? -1,
      state: stat.state,
      kernelThread: isKernelThread(stat),
      exitStatus: stat.exitStatus,
      namespacePids: status?.namespacePids ?? [],
      signals:
        status === null ? null : { caught: status.caught, ignored: status.ignored, blocked: status.blocked },
      seccomp: status?.seccomp ?? null,
      threads: [],
      fds,
      io: null,
      children: [],
      cgroup: null,
      posixTimers: isAbsent(timers) ? null : countTimers(timers),
      ...(ending > 0 && { endingTimers: ending }),
      memoryKb: status?.memoryKb ?? null,
      changed: null,
      sharedMappings: [],
      memorySharers: [],
      ...(hidden && { filesApart: true }),
      tracer: status?.tracer ?? 0,
      runId,
    };
    // The facts of the first pass are enough to see what is waited for; the second completes them.
    this.facts.threads = this.#readings.map((reading) => reading.facts);
    if (executable?.runtime === 'go' && !zombie && !this.#mayBlock())
      this.facts.goroutines =
        dir instanceof ProcDir
          ? readGoroutines(dir, this.#memory, this.facts.threads, context.insideBudget)
          : { absent: context.kernel.lacks };
    if (this.facts.runtime !== null && this.facts.runtime !== 'node' && !(dir instanceof ProcDir))
      this.#miss('runtime', { absent: context.kernel.lacks });
    this.#monitors = this.#readMonitors();
    const childLimitMs = this.#readChildLimit();
    if (childLimitMs !== null) this.facts.childLimitMs = childLimitMs;
    // The second pass seldom reads memory; in a large tree the descriptors are needed elsewhere.
    this.#memory.close();
  }

  /** Its children, listed with the threads of the first pass: the second finds those of newer threads. */
  get children(): number[] | Absent {
    return readChildrenIn(this.#dir, [...this.#tids], this.#context.kernel.files);
  }

  get dir(): ProcessDir {
    return this.#dir;
  }

  /** Second pass, from the same pinned directory. `searched`: what is waited for. */
  finish(searched: SearchedObjects): ProcessFacts {
    const { facts } = this;
    // Before the threads are read again: all that live now stood still until after this list, or show that they ran.
    const isNew = hasNewThread(this.#dir, this.#tids);
    // Before the counters: a thread that did not move stood there at this moment, too.
    const isAwaited = [...this.#monitors.values()].some((monitor) => monitor !== null);
    const monitors = isAwaited ? this.#readMonitors(this.#context.confirmBudget) : this.#monitors;
    const again = this.#readings.map((reading) => readThreadAgain(this.#thread, reading));
    facts.threads = withMonitors(
      again.map((thread) => thread.facts),
      this.#monitors,
      monitors,
    );
    const leader = again.find((thread) => thread.facts.tid === this.pid);
    const stat = leader === undefined ? readStat(this.#dir) : leader.stat;
    const died = stat?.state === 'Z' && facts.state !== 'Z' && stat.threads <= 1;
    if (stat === null || died || stat.startTicks !== facts.startTicks) facts.changed = 'ended';
    else if (stat.name !== facts.name || (!this.#stoodStill() && this.#becameAnother()))
      facts.changed = 'exec';
    else if (isNew || this.#hasNewChild()) facts.changed = 'grew';
    this.#addMovedFiles(searched);
    facts.io = this.#ioAdded();
    facts.cgroup = this.#cgroupAdded();
    return facts;
  }

  close(): void {
    this.#memory.close();
    this.#dir.close();
  }

  /** Only processes of the tree are known with their children. */
  #hasNewChild(): boolean {
    const { inTree, threads, children } = this.facts;
    return inTree && hasNewChild(this.#context.kernel, this.#dir, threads, children);
  }

  /** After the second pass over its threads: it ran no other program meanwhile, and neither read nor wrote. */
  #stoodStill(): boolean {
    const { threads } = this.facts;
    return threads.length > 0 && threads.length < threadsMax && threads.every(({ moved }) => moved === false);
  }

  #addMovedFiles(searched: SearchedObjects): void {
    if (this.pid === this.#context.readerPid || this.facts.changed === 'ended') return;
    const isLive = this.#dir instanceof ProcDir;
    if (isLive && !this.#stoodStill()) addMovedFiles(this.#dir, this.#base, this.facts, searched);
    else if (this.#closed) this.facts.filesApart = true;
  }

  #becameAnother(): boolean {
    const exe = this.facts.exe === null ? null : this.#dir.link('exe');
    return exe !== null && !isAbsent(exe) && exe !== this.facts.exe;
  }

  #ioAdded(): IoFacts | null {
    const first = this.#io;
    const second = first === null || this.#stoodStill() ? first : this.#parsed('io', parseIo);
    if (first === null || second === null) return null;
    const { diskBytes, ...counters } = first;
    return {
      ...counters,
      addedReadChars: second.readChars - first.readChars,
      addedWriteChars: second.writeChars - first.writeChars,
      addedReadCalls: second.readCalls - first.readCalls,
      addedWriteCalls: second.writeCalls - first.writeCalls,
      addedDiskBytes: second.diskBytes - diskBytes,
    };
  }

  #cgroupAdded(): ProcessFacts['cgroup'] {
    const first = this.#cgroup;
    if (first === null) return null;
    const isAsked = first.frozen || first.throttledTimes !== null;
    const second = isAsked ? this.#readCgroup() : null;
    const throttled =
      first.throttledTimes === null || second === null || second.throttledTimes === null
        ? null
        : second.throttledTimes - first.throttledTimes;
    return { path: first.path, frozen: first.frozen && second?.frozen === true, throttled };
  }

  #readMonitors(budget = this.#context.insideBudget): Monitors {
    const dir = this.#dirWithMemory;
    return dir === null ? new Map() : readLocks(this.facts, dir, this.#memory, budget);
  }

  #readChildLimit(): number | null {
    const dir = this.facts.runtime === 'python' ? this.#dirWithMemory : null;
    if (dir === null) return null;
    const nowMs = this.#context.kernel.clockMs('monotonic', this.pid);
    const work = () => readChildLimit(dir, this.#memory, this.facts.threads, nowMs);
    return this.#context.insideBudget.spend(work);
  }

  /** Only the arguments of calls are in a capture, not what the runtimes keep in memory. null: that cannot be read. */
  get #dirWithMemory(): ProcDir | null {
    const { withheld } = this.#context;
    const mayRead = !withheld.has('mem') && !withheld.has('syscall') && !this.#mayBlock();
    return mayRead && this.#dir instanceof ProcDir ? this.#dir : null;
  }

  #mayBlock(): boolean {
    return this.#readings.some(
      ({ facts: { state, call } }) =>
        state === 'D' && !isAbsent(call) && (call.at !== 'call' || memoryCalls.has(call.name)),
    );
  }

  #command(stat: Stat): string {
    const bytes =
      isKernelThread(stat) || stat.state === 'Z' || this.#mayBlock() ? null : this.#dir.bytes('cmdline');
    const text = Buffer.isBuffer(bytes) ? maskedArguments(bytes).trim() : '';
    return text === '' ? `[${stat.name}]` : text;
  }

  #readCgroup(): CgroupState | null {
    return this.#parsed('cgroup', (text) => this.#context.cgroupOf(text));
  }

  #parsed<T>(source: Source, parse: (text: string) => T): T | null {
    const text = this.#dir.text(source);
    if (!isAbsent(text)) return parse(text);
    this.#miss(source, text);
    return null;
  }

  #miss(source: Source, { absent }: Absent, detail?: string): void {
    this.#context.miss(source, this.pid, absent, detail);
  }
}

import type { Absent } from '../../model/facts/absence.js';
import type { FdFacts, ProcessFacts, ThreadFacts } from '../../model/facts/snapshot.js';
import { redact } from '../../redact/redact.js';
import type { LsofFiles } from './lsof.js';
import type { PsRow } from './ps.js';

const commandCharsMax = 400;

/** A process in both passes; the name is in a list of its own. */
export interface Seen {
  row: PsRow;
  /** null: gone at the second pass. */
  later: PsRow | null;
  name: string;
}

/** The numbers Linux gives terminals; the numbers of another system are not known, only that there is a terminal. */
function terminalNumber(terminal: string | null): number {
  if (terminal === null) return 0;
  const [, kind, index] = /^(pts\/|tty)(\d+)$/.exec(terminal) ?? [];
  return kind === undefined ? 1 : ((kind === 'tty' ? 4 : 136) << 8) | Number(index);
}

/**
 * ps shows no threads: one thread stands for all. CPU time that grew proves that it ran; CPU time that did not proves
 * nothing, because the steps are coarse. Where a step is longer than the gap, how long it ran is not known either.
 */
function onlyThread({ row, later, name }: Seen, gapMs: number): ThreadFacts {
  const ranMs = later === null ? 0 : Math.max(0, later.cpuMs - row.cpuMs);
  return {
    tid: row.pid,
    namespaceTid: row.pid,
    name,
    state: threadState(row),
    laterState: later === null ? 'X' : threadState(later),
    counter: null,
    moved: later === null || ranMs > 0 ? true : null,
    ranMs: row.cpuStepMs <= gapMs ? ranMs : 0,
    delayedMs: 0,
    offCpuMs: null,
    call: { absent: 'unsupported' },
    // The place where the first of several threads sleeps is weak evidence about the process.
    wchan: row.threaded ? null : row.wchan,
  };
}

/** The end of the leader is not evidence about its threads. */
function threadState({ state, threaded }: PsRow): ThreadFacts['state'] {
  return state === 'Z' && threaded ? '?' : state;
}

/** Gone, or dead and not yet collected: both happened between the passes. */
function hasEnded(first: PsRow, later: PsRow | null): boolean {
  return later === null || (first.state !== 'Z' && later.state === 'Z' && !later.threaded);
}

/** Linux only: the kernel's own threads are the children of process 2. */
function isKernelThread({ pid, parent }: PsRow): boolean {
  return process.platform === 'linux' && (pid === 2 || parent === 2);
}

/** The facts from ps and lsof about one process; everything else is left open. */
export function processFacts(
  seen: Seen,
  {
    gapMs,
    children,
    fds,
    files,
  }: {
    gapMs: number;
    children: number[];
    fds: FdFacts[] | Absent;
    files: LsofFiles | undefined;
  },
): ProcessFacts {
  const { row, later, name } = seen;
  return {
    pid: row.pid,
    startTicks: row.startedAtS,
    parent: row.parent,
    group: row.group,
    session: row.session,
    terminal: { number: terminalNumber(row.terminal), foregroundGroup: row.foregroundGroup },
    inTree: true,
    name,
    command: row.command === '' ? `[${name}]` : redact(row.command).slice(0, commandCharsMax),
    exe: files?.exe ?? null,
    runtime: null,
    uid: row.uid,
    state: row.state,
    kernelThread: isKernelThread(row),
    exitStatus: null,
    namespacePids: [],
    signals: null,
    seccomp: null,
    threads: [onlyThread(seen, gapMs)],
    fds,
    io: null,
    children,
    cgroup: null,
    posixTimers: null,
    memoryKb: row.memoryKb,
    changed: hasEnded(row, later) ? 'ended' : null,
    sharedMappings: [],
    memorySharers: null,
    tracer: 0,
    runId: null,
  };
}

import { isAbsent } from '../../model/facts/absence.js';
import type { ProcessFacts } from '../../model/facts/snapshot.js';
import type { Finding, StuckThread, Verdict } from '../../model/verdict.js';
import { printable, printableName } from '../../text/printable.js';
import { findStuckThreads, type StuckThreads } from '../graph/closed/stuck-threads.js';
import type { AwaitedTools } from '../graph/tool-branches.js';
import type { Task, View } from '../graph/view.js';
import { ownerOf } from '../graph/wakers/futex.js';
import type { Judgement } from '../judge.js';
import { findParts } from '../parts.js';
import { findServers } from '../servers.js';
import { codePlaceOf, testWords } from '../stacks/code-place.js';
import { chainOf } from './chain.js';
import { evidenceFor } from './evidence.js';
import { goroutineName, parkedWords } from './goroutines.js';
import { commandLine, shortName } from './names.js';
import { insteadFor, nextFor } from './next.js';
import { limitWords } from './phrases.js';
import { endWords, reasonFor } from './sentences.js';

const listedMax = 50;

/** The stuck threads of a finding, each with what it waits for. */
function stuckThreadsOf({ judgement, tasks }: StuckThreads): StuckThread[] {
  const { cause, view } = judgement;
  if (cause.kind === 'stuck-goroutines')
    return cause.stuck.slice(0, listedMax).map((parked) => ({
      name: goroutineName(parked),
      waitsFor: parkedWords(parked),
      at: parked.at === null ? null : printable(parked.at),
      sinceMs: parked.sinceMs,
    }));
  return tasks.slice(0, listedMax).map((task) => ({
    name: `thread ${task.thread.tid} (${printableName(task.thread.name)})`,
    waitsFor: ownerWords(view, task),
    at: null,
    // A thread that waits for a monitor wakes up now and then to check it again: since when it waits is not known.
    sinceMs: task.thread.moved === false ? task.thread.offCpuMs : null,
  }));
}

function ownerWords(view: View, { process, thread }: Task): string {
  const { monitor, call } = thread;
  if (monitor?.type === 'threading.Thread') return `the end of thread ${monitor.owner}`;
  if (monitor?.type === 'class initialization')
    return `the class at ${monitor.address}, which thread ${monitor.owner} initializes`;
  if (monitor !== undefined)
    return `the ${monitor.type ?? 'monitor'} at ${monitor.address}, held by thread ${monitor.owner}`;
  const futex = isAbsent(call) || call.at !== 'call' ? undefined : call.futex;
  const owner = futex === undefined ? null : ownerOf(view, process, futex);
  if (futex === undefined || owner === null) return 'a lock';
  if ('gone' in owner) return `the lock at ${futex.address} of thread ${owner.gone}, which is gone`;
  return owner.via === 'join'
    ? `the end of thread ${owner.tid}`
    : `the lock at ${futex.address}, held by thread ${owner.tid}`;
}

/**
 * Goroutines have no counter, and a thread that waits for a monitor wakes up to check it again: its runs mean nothing.
 */
function runsOf({ judgement: { cause }, tasks }: StuckThreads): number {
  if (cause.kind === 'stuck-goroutines') return 0;
  return tasks.reduce(
    (sum, { thread }) => sum + (thread.monitor === undefined ? (thread.counter ?? 0) : 0),
    0,
  );
}

/** Since when all of these have been off the CPU; null: a thread ran between the two passes, or it is not known. */
export function stillMs(processes: readonly ProcessFacts[]): number | null {
  let still = Number.POSITIVE_INFINITY;
  for (const { threads } of processes) {
    for (const thread of threads) {
      if (thread.moved !== false || thread.offCpuMs === null) return null;
      still = Math.min(still, thread.offCpuMs);
    }
  }
  return Number.isFinite(still) ? still : null;
}

/** The reason, and the place in the code. */
export function placeOf(judgement: Judgement): Pick<Verdict, 'reason' | 'next' | 'test' | 'stack'> {
  const place = codePlaceOf(judgement);
  const reason = reasonFor(judgement);
  // A step that asks for stacks is left out where stacks are shown.
  const next = nextFor(judgement).filter(
    (step) => place.stack === undefined || !step.startsWith('see the stacks'),
  );
  const limited = judgement.limit === undefined ? reason : `${reason}; ${limitWords(judgement.limit)}`;
  return {
    reason: place.test === undefined ? limited : `${limited}; ${testWords(place.test)}`,
    next,
    ...place,
  };
}

function processesOf(view: View): ProcessFacts[] {
  return [...view.members].flatMap((pid) => view.process(pid) ?? []);
}

/** How often their threads have run. */
function timesRun(processes: readonly ProcessFacts[]): number {
  return processes.flatMap(({ threads }) => threads).reduce((sum, { counter }) => sum + (counter ?? 0), 0);
}

function findingOf(judgement: Judgement): Finding {
  const { view, task, waiter } = judgement;
  const root = view.target ?? task.process;
  // The parent of a process that was left behind has ended: the process that waits for it is the owner.
  const owner = judgement.kind === 'lingering' ? waiter.process : view.process(root.parent);
  const members = processesOf(view);
  const instead = insteadFor(judgement);
  return {
    kind: judgement.kind,
    certainty: judgement.certainty,
    pid: task.process.pid,
    name: shortName(task.process),
    command: commandLine(task.process),
    ...placeOf(judgement),
    ...(instead !== null && { instead }),
    evidence: evidenceFor(judgement),
    chain: chainOf(judgement),
    sinceMs: stillMs(members),
    root: { pid: root.pid, startTicks: root.startTicks },
    end: { pid: task.process.pid, startTicks: task.process.startTicks },
    owner:
      owner === undefined ? null : { pid: owner.pid, name: shortName(owner), command: commandLine(owner) },
    members: [...view.members],
    runs: timesRun(members),
    ...(judgement.limit !== undefined && {
      limit: {
        pid: judgement.limit.process.pid,
        name: shortName(judgement.limit.process),
        leftMs: judgement.limit.leftMs === null ? null : Math.max(0, judgement.limit.leftMs),
      },
    }),
  };
}

interface Stuck {
  parts: Judgement[];
  threads: StuckThreads[];
}

/** Stuck branches of the tree, then stuck threads of processes that live. */
export function findStuck(judgement: Judgement, awaited: AwaitedTools | null): Stuck {
  const parts = findParts(judgement, awaited);
  return { parts, threads: findStuckThreads(judgement, parts, awaited) };
}

export function findingsOf({ parts, threads: sets }: Stuck): Finding[] {
  const inside = sets.map((stuck): Finding => {
    const { process } = stuck.judgement.task;
    const threads = stuckThreadsOf(stuck);
    return {
      ...findingOf(stuck.judgement),
      chain: [{ pid: process.pid, command: commandLine(process), waitsFor: endWords(stuck.judgement.cause) }],
      sinceMs: threads.some(({ sinceMs }) => sinceMs === null)
        ? null
        : Math.min(...threads.map(({ sinceMs }) => sinceMs ?? 0)),
      members: [process.pid],
      runs: runsOf(stuck),
      inside: { threads, beside: stuck.beside },
    };
  });
  return [...parts.map(findingOf), ...inside];
}

/** Tools that serve in the foreground, as findings: each is the whole tool, with the process that listens at its end. */
export function serversOf(judgement: Judgement, awaited: AwaitedTools | null): Finding[] {
  if (awaited === null) return [];
  return findServers(judgement, awaited).map(({ tool, server }) => {
    const processes = processesOf(tool);
    const root = tool.target ?? server.task.process;
    return {
      ...findingOf(server),
      sinceMs: stillMs(processes),
      root: { pid: root.pid, startTicks: root.startTicks },
      members: [...tool.members],
      runs: timesRun(processes),
    };
  });
}

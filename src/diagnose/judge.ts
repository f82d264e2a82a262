import type { Source } from '../model/absence.js';
import type { Snapshot, ThreadFacts } from '../model/snapshot.js';
import { type Certainty, neverCertain, stuckKinds, type VerdictKind, weaker } from '../model/verdict.js';
import { alarmMayOpen } from './alarm.js';
import type { Cause } from './cause.js';
import { type End, type Exploration, explore } from './explore.js';
import { goesOnInstead, mayHaveDeadline } from './goes-on.js';
import { goroutinesOr } from './goroutines.js';
import { isHousekeeping } from './housekeeping.js';
import { describeKnot } from './knots.js';
import { findLockCycle } from './lock-cycles.js';
import { isOnlyPossible, ruleFor } from './rules/index.js';
import { rank } from './rules/rule.js';
import { stoodStill } from './stood-still.js';
import { type Task, View } from './view.js';

/** What the judge found, before anybody puts it into words. */
export interface Judgement {
  view: View;
  exploration: Exploration;
  kind: VerdictKind;
  certainty: Certainty;
  cause: Cause;
  /** The thread at the end of the chain: the one to look at. */
  task: Task;
  /** The thread whose wait led there. */
  waiter: Task;
  /** Other ends that were reached too: why it is not more certain, or what else goes on. */
  others: Cause[];
  /** A process of the tree that the target does not wait for, and that goes on. */
  elsewhere: number | null;
}

interface Candidate {
  end: End;
  kind: VerdictKind;
  rank: number;
  certainty: Certainty;
}

/** Without these about a process that matters, nothing is certain (G5). */
const vital: ReadonlySet<Source> = new Set([
  'syscall',
  'mem',
  'fd',
  'children',
  'maps',
  'schedstat',
  'stat',
  'status',
  'timers',
]);
/** The others show in stat alone, which everybody may read. */
const needsEverything: ReadonlySet<VerdictKind> = new Set(['needs-input', 'deadlock', 'asleep']);
const optionalPenalty = 100;

/** A name for an edge matters only where nothing more telling lies behind it; a file lock always does. */
function derivedRank({ kind }: Cause): number {
  if (kind === 'file-lock') return rank.lock;
  return kind === 'stdin' ? rank.supply : rank.conversation;
}

function candidate(view: View, end: End): Candidate {
  const { verdict, rank: own, certainty } = ruleFor(end.cause, end.task, view);
  const named = end.strength === 'derived' ? Math.max(own, derivedRank(end.cause)) : own;
  const believed = end.strength === 'derived' ? weaker(certainty, 'high') : certainty;
  return {
    end,
    kind: verdict,
    certainty: believed,
    rank: named + (end.strength === 'optional' ? optionalPenalty : 0),
  };
}

/** Lowest rank first; among busy threads the busiest; otherwise the one reached first. */
function best(candidates: readonly Candidate[]): Candidate | undefined {
  const weight = ({ end }: Candidate): number => (end.cause.kind === 'computing' ? end.cause.ranMs : 0);
  return candidates.reduce<Candidate | undefined>((chosen, next) => {
    if (chosen === undefined || next.rank < chosen.rank) return next;
    return next.rank === chosen.rank && weight(next) > weight(chosen) ? next : chosen;
  }, undefined);
}

function lacksVital({ snapshot }: View, exploration: Exploration): boolean {
  return snapshot.absent.some(
    ({ source, pid }) => vital.has(source) && pid !== null && exploration.outlooks.has(pid),
  );
}

interface Judged {
  exploration: Exploration;
  chosen: Candidate & { all: Candidate[] };
}

/** What the target waits for, followed to the end. */
function judgeTarget(view: View, target: Task): Judged {
  const exploration = explore(view, target.process.pid);
  return { exploration, chosen: judgeEnds(view, exploration, target) };
}

/**
 * The rest of the tree, that the target does not wait for: a server beside `sleep infinity`, a worker that will send a
 * signal. null: nothing of it goes on.
 */
function judgeRest(view: View, { outlooks }: Exploration): Judged | null {
  const { processes, reader } = view.snapshot;
  const rest = processes.filter(
    (process) => view.isOfTree(process) && !outlooks.has(process.pid) && process.pid !== reader.pid,
  );
  if (rest.length === 0) return null;
  const exploration = explore(view, ...rest.map(({ pid }) => pid));
  const all = exploration.ends
    .filter(({ beyond, task }) => !beyond && !outlooks.has(task.process.pid))
    .map((end) => candidate(view, end));
  const going = all.filter(
    ({ kind, end }) => !stuckKinds.has(kind) && end.strength !== 'derived' && !isOnlyPossible(end.cause),
  );
  const chosen = best(going);
  return chosen === undefined ? null : { exploration, chosen: { ...chosen, all } };
}

/** How well the chosen thread's own wait is known. */
function evidenceCap(exploration: Exploration, { end }: Candidate): Certainty {
  const { waiter: task, cause } = end;
  if (isOnlyPossible(cause) && mayHaveDeadline(exploration, end)) return 'medium';
  const outlook = exploration.outlooks
    .get(task.process.pid)
    ?.find((other) => other.task.thread.tid === task.thread.tid);
  if (outlook === undefined || outlook.state !== null || cause.kind === 'knot') return 'certain';
  const { call } = task.thread;
  if (outlook.wait?.source === 'none') return 'low';
  if (outlook.wait?.source === 'wchan') return outlook.wait.complete ? 'high' : 'medium';
  if (!stoodStill(task.thread)) return 'high';
  const resumed = 'resumed' in call && call.resumed === true;
  return outlook.wait?.complete === false || resumed ? 'high' : 'certain';
}

/** A signal that might come is no way out of needing input. */
function isSupposed({ cause }: End): boolean {
  return cause.kind === 'signal';
}

/** That SIGALRM is caught makes no appointment; the knot has a doubt for it. */
function isMereHandler({ cause, strength }: End): boolean {
  return cause.kind === 'timer' && cause.supposed && strength === 'optional';
}

/** Another way out that is no fault: then the stuck one is not proven to stop the tree. */
function hasWayOut(candidates: readonly Candidate[]): boolean {
  return candidates.some(
    ({ end, kind }) => end.strength !== 'derived' && !stuckKinds.has(kind) && !isSupposed(end),
  );
}

/** What would have to send the input, or feeds what would, goes on by itself: the input may come. */
function inputMayCome(view: View, { ends }: Exploration): boolean {
  const beyond = ends.filter((end) => end.beyond && end.cause.kind !== 'ourselves');
  return hasWayOut(beyond.map((end) => candidate(view, end)));
}

/** Something of the tree was not still between the two collects: then it may not be stuck at all. */
function hasMoved(view: View): boolean {
  const { processes, reader } = view.snapshot;
  return processes.some(
    (process) =>
      view.isOfTree(process) &&
      process.pid !== reader.pid &&
      (process.changed !== null ||
        process.threads.some(
          (thread) => !isDead(thread) && !stoodStill(thread) && !isHousekeeping({ process, thread }),
        )),
  );
}

const isDead = ({ state, laterState }: ThreadFacts): boolean => state === 'Z' && laterState === 'Z';

/** Its parent, outside of what was asked about, is at something: it may be what stops it and lets it go. */
function mayBePaced(view: View, { process }: Task): boolean {
  const parent = view.process(process.parent);
  if (parent === undefined || view.hasMember(parent.pid) || parent.pid === view.snapshot.reader.pid)
    return false;
  return hasWayOut(explore(view, parent.pid).ends.map((end) => candidate(view, end)));
}

/** Whether something that was seen, or that nothing excludes, may let a stuck tree go on. */
function mayGoOn(view: View, exploration: Exploration, { kind, end, all }: Judged['chosen']): boolean {
  if (hasMoved(view)) return true;
  if (kind === 'zombie') return false;
  if (hasWayOut(all)) return true;
  if (kind === 'stopped' || kind === 'frozen') return mayBePaced(view, end.task);
  return kind === 'needs-input' && (inputMayCome(view, exploration) || alarmMayOpen(view, []));
}

/** A file lock leads on to its holder: what that one is at. */
function behindLock(view: View, { cause }: End): Candidate | undefined {
  if (cause.kind !== 'file-lock' || cause.holders[0] === undefined) return undefined;
  return best(explore(view, cause.holders[0]).ends.map((end) => candidate(view, end)));
}

/** A thread that ran between the looks was woken by somebody: the set is not closed, it is busy. */
function movingOr({ tasks }: Extract<Cause, { kind: 'knot' }>): Cause | null {
  return tasks.some(({ thread }) => thread.moved === true && !stoodStill(thread))
    ? { kind: 'changing', change: 'ran' }
    : null;
}

function judgeEnds(view: View, exploration: Exploration, target: Task): Candidate & { all: Candidate[] } {
  const real = exploration.ends.filter((end) => end.strength !== 'derived' && !isMereHandler(end));
  const cause = real.length === 0 ? describeKnot(view, exploration) : null;
  const cycle = findLockCycle(view);
  const first = cycle?.tasks[0];
  if (cycle !== null && first !== undefined) {
    const circle = candidate(view, {
      cause: cycle,
      strength: 'plain',
      task: first,
      waiter: first,
      beyond: false,
    });
    // A lock may be released by who does not own it: the circle alone is strong, in a closed set it is proof.
    const closed = cause !== null && cause.proof === 'complete';
    return { ...circle, certainty: closed ? 'certain' : 'high', all: [circle] };
  }
  // A set that closes outside the tree proves nothing about it: then the name of the way there is the answer.
  const named = exploration.ends.filter(({ beyond }) => !beyond).map((end) => candidate(view, end));
  const outer =
    cause !== null && named.length > 0 && cause.tasks.every(({ process }) => !view.hasMember(process.pid));
  if (cause !== null && !outer) {
    const task =
      cause.tasks.find(({ thread, process }) => thread.tid === process.pid) ?? cause.tasks[0] ?? target;
    const closed = candidate(view, {
      cause: movingOr(cause) ?? goroutinesOr(cause),
      strength: 'plain',
      task,
      waiter: task,
      beyond: false,
    });
    return { ...closed, all: [closed] };
  }
  const ranked = best(named);
  if (ranked !== undefined) {
    const instead = goesOnInstead(view, exploration, ranked.end);
    const chosen = named.find(({ end }) => end === instead) ?? ranked;
    const holder = behindLock(view, chosen.end);
    // Workers that queue for a lock whose holder waits for work are a service with nothing to do.
    return { ...(holder?.kind === 'service' ? holder : chosen), all: named };
  }
  // Only the surroundings could be reached, and no edge has a name of its own.
  const beyond = best(exploration.ends.map((end) => candidate(view, end))) as Candidate;
  return { ...beyond, all: [beyond] };
}

/** Judges one snapshot. Pure: the same snapshot always gives the same judgement. */
export function judge(snapshot: Snapshot): Judgement | null {
  return judgeView(View.of(snapshot));
}

/** Judges the target of a view: that of the snapshot, or the root of one branch. */
export function judgeView(view: View): Judgement | null {
  const process = view.target;
  const thread = process?.threads[0];
  if (process === undefined || thread === undefined) return null;
  const target = judgeTarget(view, { process, thread });
  const { kind, end } = target.chosen;
  const mayRest = stuckKinds.has(kind) || isOnlyPossible(end.cause);
  const rest = mayRest ? judgeRest(view, target.exploration) : null;
  // A process that merely sleeps is in no other's way: what the others do is what the tree does.
  const merelySleeps = kind === 'asleep' || end.cause.kind === 'signal';
  const { exploration, chosen } = rest !== null && merelySleeps ? rest : target;
  const elsewhere = rest !== null && chosen !== rest.chosen ? rest.chosen.end.task.process.pid : null;
  let { certainty } = chosen;
  certainty = weaker(certainty, evidenceCap(exploration, chosen));
  if (neverCertain.has(chosen.kind)) certainty = weaker(certainty, 'high');
  if (needsEverything.has(chosen.kind) && lacksVital(view, exploration))
    certainty = weaker(certainty, 'high');
  if (stuckKinds.has(chosen.kind)) {
    if (elsewhere !== null || mayGoOn(view, exploration, chosen)) certainty = weaker(certainty, 'high');
  }
  const others = chosen.all.filter(({ end }) => end !== chosen.end && end.strength !== 'derived');
  return {
    view,
    exploration,
    kind: chosen.kind,
    certainty,
    cause: chosen.end.cause,
    task: behindLock(view, chosen.end)?.end.task ?? chosen.end.task,
    waiter: chosen.end.waiter,
    others: others.map(({ end }) => end.cause),
    elsewhere,
  };
}

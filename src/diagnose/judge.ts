import type { Snapshot } from '../model/facts/snapshot.js';
import { type Certainty, neverCertain, stuckKinds, type VerdictKind, weaker } from '../model/verdict.js';
import { best, type Candidate, type Chosen, candidate } from './graph/candidate.js';
import type { Cause } from './graph/cause.js';
import { describeKnot, mayBePosted } from './graph/closed/closed-set.js';
import { cycleOfWhole } from './graph/closed/cycle-state.js';
import { goroutinesOr } from './graph/closed/goroutines.js';
import type { OuterLimit } from './graph/closed/outer-limit.js';
import { handlesAlarm } from './graph/closed/signals.js';
import { stoodStill } from './graph/closed/stood-still.js';
import { hasWayOut, isDistant, mayGoOn } from './graph/doubt.js';
import { type End, type Exploration, explore } from './graph/explore.js';
import { goesOnInstead, mayHaveDeadline, relativesOf } from './graph/goes-on.js';
import { type Task, View } from './graph/view.js';
import { isOnlyPossible } from './rules/index.js';

/** The result of the judge, before it is put into words. */
export interface Judgement {
  view: View;
  exploration: Exploration;
  kind: VerdictKind;
  certainty: Certainty;
  cause: Cause;
  /** The thread at the end of the chain: the thread to report. */
  task: Task;
  /** The thread whose wait led there. */
  waiter: Task;
  /** Other ends that were reached too: they lower the certainty, or show what else goes on. */
  others: Cause[];
  /** A process of the tree that the target does not wait for, and that goes on. */
  elsewhere: number | null;
  /** Something that was seen may let the thread go on by itself: a timer, an answer, another process of the tree. */
  wayOut: boolean;
  /** Of a stuck part: a process outside of it that goes on by itself and may end it. */
  limit?: OuterLimit;
}

interface Judged {
  exploration: Exploration;
  chosen: Chosen;
}

/** What the target waits for, followed to the end. */
function judgeTarget(view: View, target: Task): Judged {
  const exploration = explore(view, target.process.pid);
  return { exploration, chosen: judgeEnds(view, exploration, target) };
}

/**
 * The rest of the tree, which the target does not wait for: a server beside `sleep infinity`, a worker that will send a
 * signal. null: nothing of the rest goes on.
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

/** A process that goes on may continue a stopped process: the activity of the former is the activity of the tree. */
function besideStopped(view: View, { exploration, chosen }: Judged): Judged | null {
  if (chosen.end.cause.kind !== 'stopped' || chosen.end.cause.traced) return null;
  const going = relativesOf(view, exploration, chosen.end.task).map((end) => candidate(view, end));
  const relative = best(going);
  return relative === undefined ? null : { exploration, chosen: { ...relative, all: chosen.all } };
}

/** Whether a shell is at its prompt or waits for its jobs shows only in the settings of its terminal. */
function mayBePrompt({ snapshot }: View, { kind, all }: Chosen): boolean {
  const { absent } = snapshot;
  return all.some(
    ({ end: { cause, waiter } }) =>
      cause.kind === 'terminal' &&
      kind !== 'needs-input' &&
      absent.some(({ source, pid }) => source === 'terminal' && pid === waiter.process.pid),
  );
}

/** How well the wait of the chosen thread is known. */
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

/**
 * A handler for SIGALRM alone is no armed alarm where the alarms of the machine were read; the closed set has a doubt for
 * it. Where they were not, a program that handles it among few signals is believed to have set one.
 */
function isMereHandler({ snapshot }: View, { cause, strength, waiter }: End): boolean {
  if (cause.kind !== 'timer' || !cause.supposed || strength !== 'optional') return false;
  return snapshot.alarms !== null || !handlesAlarm(waiter.process);
}

/** A file lock leads on to its holder: the cause of the holder. */
function behindLock(view: View, { cause }: End): Candidate | undefined {
  if (cause.kind !== 'file-lock' || cause.holders[0] === undefined) return undefined;
  return best(explore(view, cause.holders[0]).ends.map((end) => candidate(view, end)));
}

/** A thread that ran between the passes was woken by another thread: the set is not closed, it is busy. */
function movingOr({ tasks }: Extract<Cause, { kind: 'knot' }>): Cause | null {
  return tasks.some(({ thread }) => thread.moved === true && !stoodStill(thread))
    ? { kind: 'changing', change: 'ran' }
    : null;
}

function judgeEnds(view: View, exploration: Exploration, target: Task): Chosen {
  const real = exploration.ends.filter((end) => end.strength !== 'derived' && !isMereHandler(view, end));
  const cause = real.length === 0 ? describeKnot(view, exploration) : null;
  const stuck = cycleOfWhole(view, { exploration, target, ends: real }, cause === null ? null : cause.proof);
  if (stuck !== null) {
    const { cycle, first, certainty } = stuck;
    const circle = candidate(view, {
      cause: cycle,
      strength: 'plain',
      task: first,
      waiter: first,
      beyond: false,
    });
    return { ...circle, certainty, all: [circle] };
  }
  // A set that closes outside the tree proves nothing about the tree: then the derived cause of the path is the answer.
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
  // Only the surroundings could be reached, and no edge has a derived cause.
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
  // A process that merely sleeps blocks no other process: the activity of the others is the activity of the tree.
  const merelySleeps = kind === 'asleep' || end.cause.kind === 'signal' || mayBePosted(end.cause);
  const { exploration, chosen } =
    rest !== null && merelySleeps ? rest : (besideStopped(view, target) ?? target);
  const elsewhere = rest !== null && chosen !== rest.chosen ? rest.chosen.end.task.process.pid : null;
  let { certainty } = chosen;
  certainty = weaker(certainty, evidenceCap(exploration, chosen));
  if (neverCertain.has(chosen.kind)) certainty = weaker(certainty, 'high');
  if (mayBePrompt(view, chosen)) certainty = weaker(certainty, 'medium');
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
    wayOut: elsewhere !== null || hasWayOut(chosen.all) || isDistant(chosen.end.cause),
  };
}

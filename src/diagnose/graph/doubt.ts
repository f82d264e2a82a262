import type { Source } from '../../model/facts/absence.js';
import type { ThreadFacts } from '../../model/facts/snapshot.js';
import { stuckKinds, type VerdictKind } from '../../model/verdict.js';
import { alarmMayOpen } from './alarm.js';
import { type Candidate, type Chosen, candidate } from './candidate.js';
import type { Cause } from './cause.js';
import { stoodStill } from './closed/stood-still.js';
import { type End, type Exploration, explore } from './explore.js';
import { isHousekeeping } from './housekeeping.js';
import type { Task, View } from './view.js';
import { typistsOf } from './wakers/terminal.js';

/** If one of these is missing for a process that matters, nothing is certain. */
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
/** The other kinds show in stat alone, which every user may read. */
const needsEverything: ReadonlySet<VerdictKind> = new Set(['needs-input', 'deadlock', 'asleep']);

export function lacksVital({ snapshot }: View, exploration: Exploration): boolean {
  return snapshot.absent.some(
    ({ source, pid }) => vital.has(source) && pid !== null && exploration.outlooks.has(pid),
  );
}

/** A signal that might come is no way out of needing input. */
function isSupposed({ cause }: End): boolean {
  return cause.kind === 'signal';
}

/** Another way out that is no fault: then the stuck thread is not proven to stop the tree. */
export function hasWayOut(candidates: readonly Candidate[]): boolean {
  return candidates.some(
    ({ end, kind }) => end.strength !== 'derived' && !stuckKinds.has(kind) && !isSupposed(end),
  );
}

/** What writes the input may go on, on another machine. */
export function isDistant(cause: Cause): boolean {
  return cause.kind === 'stdin' && cause.distant === true;
}

/** The process that would have to send the input, or a process that feeds it, goes on by itself: the input may come. */
function inputMayCome(view: View, { ends }: Exploration): boolean {
  const beyond = ends.filter((end) => end.beyond && end.cause.kind !== 'ourselves');
  return hasWayOut(beyond.map((end) => candidate(view, end)));
}

/** A program that goes on by itself has the other side of the terminal: it may type. */
function mayBeTyped(view: View, { cause }: End): boolean {
  const typists = cause.kind === 'terminal' ? typistsOf(view, cause.terminal) : [];
  return typists.some((pid) => hasWayOut(explore(view, pid).ends.map((end) => candidate(view, end))));
}

/** A thread of the tree ran between the two passes: then the tree may not be stuck at all. */
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

/** Its parent, outside of the judged tree, is active: the parent may stop it and let it go again. */
function mayBePaced(view: View, { process }: Task): boolean {
  const parent = view.process(process.parent);
  if (parent === undefined || view.hasMember(parent.pid) || parent.pid === view.snapshot.reader.pid)
    return false;
  return hasWayOut(explore(view, parent.pid).ends.map((end) => candidate(view, end)));
}

/** A process on the path may wait for something else, too. */
function isVague(view: View, { outlooks }: Exploration): boolean {
  return [...outlooks.values()]
    .flat()
    .some(({ task, wait }) => view.hasMember(task.process.pid) && wait?.complete === false);
}

/** A process on the path waits in an event loop that another process may have, too. */
function mayBeShared(view: View, { outlooks }: Exploration): boolean {
  return [...outlooks.values()]
    .flat()
    .some(
      ({ task, wait }) =>
        view.hasMember(task.process.pid) &&
        wait?.on.some((awaited) => awaited.what === 'file' && awaited.file.maybeShared !== undefined),
    );
}

/** Whether something that was seen, or that nothing excludes, may let a stuck tree go on: then there is no proof. */
export function mayGoOn(view: View, exploration: Exploration, { kind, end, all }: Chosen): boolean {
  if (needsEverything.has(kind) && lacksVital(view, exploration)) return true;
  if (hasMoved(view)) return true;
  if (kind === 'zombie') return false;
  if (hasWayOut(all)) return true;
  if (kind === 'stopped' || kind === 'frozen') return mayBePaced(view, end.task);
  if (kind !== 'needs-input') return false;
  if (isVague(view, exploration) || mayBeShared(view, exploration)) return true;
  return inputMayCome(view, exploration) || mayBeTyped(view, end) || alarmMayOpen(view, []);
}

import { isAbsent } from '../../../model/facts/absence.js';
import type { FdKind, ProcessFacts } from '../../../model/facts/snapshot.js';
import { isTestThread } from '../../stacks/running-test.js';
import { alarmMayOpen } from '../alarm.js';
import type { Awaited } from '../awaited.js';
import type { Cause } from '../cause.js';
import type { Exploration } from '../explore.js';
import type { Outlook } from '../thread-outlook.js';
import type { View } from '../view.js';
import type { Via } from '../waker.js';
import { mayReleaseToo } from '../wakers/futex.js';
import { bottom } from './bottom.js';
import { handledSignals, hidesHandlers, mayAwaitInterrupt } from './signals.js';
import { stoodStill } from './stood-still.js';

/** Edges over files that an unseen process might hold as well. */
const sharedVias: ReadonlySet<Via> = new Set([
  'pipe',
  'pipe-reader',
  'tcp',
  'unix-socket',
  'eventfd',
  'fifo',
  'terminal',
  'file-lock',
]);

/** Sleeps without waiting for another process: an empty set, a signal, or an event loop over its own doorbells. */
function merelySleeps({ wait, task }: Outlook): boolean {
  if (isTestThread(task.process, task.thread)) return false;
  if (wait === null || task.thread.tid !== task.process.pid) return wait !== null;
  return wait.form === 'set' || wait.on.every(({ what }) => what === 'signal');
}

/** A closed set, as the doubts below see it. */
interface Knot {
  view: View;
  /** The threads of the set at the bottom, which the others wait for. */
  members: Outlook[];
  /** All threads on the way to the bottom, too. */
  everyone: Outlook[];
  /** Whether it matters that every holder of a file or mapping is known. */
  needsHolders: boolean;
}

type Doubt = (knot: Knot) => boolean;

const someAwaited = (outlooks: readonly Outlook[], test: (awaited: Awaited) => boolean): boolean =>
  outlooks.some(({ wait }) => wait?.on.some(test));

/** A thread of the set ran meanwhile, or its wait is not fully known. */
const notStill: Doubt = ({ everyone }) =>
  !everyone.every(({ task, wait }) => stoodStill(task.thread) && wait?.source === 'call' && wait.complete);

/** Java parks the threads of idle pools in the same way; a thread that waits for a named thread is not idle. */
const parkedByJava: Doubt = ({ members }) =>
  members.some(
    ({ task, wakers }) => task.process.runtime === 'java' && wakers.some(({ to }) => to !== 'thread'),
  );

const searchWasCut: Doubt = ({ view, needsHolders }) => needsHolders && view.snapshot.searched.cut !== null;

const holdersUnseen: Doubt = ({ view, needsHolders }) => needsHolders && !view.holdersComplete;

/** The holder of a lock that belongs to an open file is found only by a search through all open files. */
const lockHolderUnseen: Doubt = ({ view, everyone }) =>
  !view.holdersComplete && someAwaited(everyone, (awaited) => awaited.what === 'file-lock' && awaited.ofFile);

/** The kernel may give up a connection whose peer does not read (TCP_USER_TIMEOUT): known of a blocking call only. */
const sendMayGiveUp: Doubt = ({ everyone }) =>
  someAwaited(
    everyone,
    (awaited) =>
      awaited.what === 'file' &&
      awaited.purpose === 'write' &&
      awaited.file.kind === 'socket' &&
      awaited.file.detail?.of !== 'socket',
  );

/** An epoll instance may watch another file than the one that has its number now. */
const watchedUnsure: Doubt = ({ everyone }) =>
  someAwaited(
    everyone,
    (awaited) =>
      awaited.what === 'file' &&
      awaited.file.detail?.of === 'epoll' &&
      awaited.file.detail.targets.some(({ moved }) => moved === 'unknown'),
  );

/** An unrelated process may have this event loop or timer, and could end the wait through it. */
const maybeInherited: Doubt = ({ everyone }) =>
  someAwaited(everyone, (awaited) => awaited.what === 'file' && awaited.file.maybeShared === 'inherited');

const maybePassed: Doubt = ({ everyone }) =>
  someAwaited(everyone, (awaited) => awaited.what === 'file' && awaited.file.maybeShared === 'passed');

const hasRing = ({ fds }: ProcessFacts): boolean =>
  !isAbsent(fds) && fds.some(({ kind }) => kind === 'io_uring');

/** Requests of an io_uring go on without their process: one may wait for a time, then write to a pipe or wake a futex. */
const ringAtWork: Doubt = ({ everyone }) => everyone.some(({ task }) => hasRing(task.process));

/** Whether one of these processes is alive, and not in the set. */
function isBeyond({ view, everyone }: Knot, pids: readonly number[]): boolean {
  const inside = new Set(everyone.map(({ task }) => task.process.pid));
  return pids.some((pid) => {
    const process = view.process(pid);
    return !inside.has(pid) && pid !== view.snapshot.reader.pid && process?.state !== 'Z';
  });
}

/** A process with one end of a pipe can open the other end (/proc/self/fd), or make the pipe larger. */
const pipeKeptOutside: Doubt = (knot) =>
  someAwaited(
    knot.everyone,
    (awaited) =>
      awaited.what === 'file' &&
      awaited.file.kind === 'pipe' &&
      isBeyond(knot, knot.view.endOf(awaited.file.object, 'any').pids),
  );

/** A process that is not in the set has the memory of a lock, and may release it without being its owner. */
const lockKeptOutside: Doubt = (knot) =>
  knot.everyone.some(({ task, wait }) =>
    wait?.on.some(
      (awaited) => awaited.what === 'futex' && isBeyond(knot, mayReleaseToo(knot.view, task, awaited.futex)),
    ),
  );

/** A terminal has a name, by which any process of its user may open it and write what the master waits for. */
const terminalHasName: Doubt = ({ everyone }) =>
  someAwaited(everyone, (awaited) => awaited.what === 'file' && awaited.file.kind === 'ptmx');

const memoryMayBeShared: Doubt = ({ members }) =>
  members.some(({ task }) => task.process.memorySharers === null);

/** A process that may have the same memory was not read. */
const sharerUnread: Doubt = ({ view, members }) =>
  members.some(({ task }) => {
    const { memorySharers } = task.process;
    if (memorySharers === null) return view.snapshot.searched.cut !== null;
    return memorySharers.some((pid) => view.process(pid) === undefined);
  });

/** A runtime's own handlers hide the program's handlers; an event loop would run them, a thread in a lock cannot. */
const handlersHidden: Doubt = ({ members }) =>
  members.some(
    ({ task, wait }) =>
      wait?.form === 'set' && task.thread.tid === task.process.pid && hidesHandlers(task.process),
  );

/** A handler runs in every wait, and may write to the pipe or kill the child that is waited for. */
const signalHandled: Doubt = ({ everyone }) =>
  everyone.some(({ task }) => handledSignals(task.process) !== 0n);

/**
 * A call that ends with a signal only, in a program that handles Ctrl-C: the program may wait for a user to stop it.
 */
const interruptAwaited: Doubt = ({ everyone }) =>
  everyone.some(
    ({ task, wait }) => wait?.on.some(({ what }) => what === 'signal') && mayAwaitInterrupt(task.process),
  );

/** Node gives each event loop one eventfd and none to the kernel; a further eventfd belongs to an addon. */
function hasOnlyLoopBells({ runtime, fds }: ProcessFacts): boolean {
  if (runtime !== 'node' || isAbsent(fds)) return false;
  const count = (wanted: FdKind): number => fds.filter(({ kind }) => kind === wanted).length;
  return count('eventfd') <= count('epoll');
}

/** The kernel may ring an eventfd (asynchronous I/O, a control group, a device), and nothing shows which. */
const bellOfTheKernel: Doubt = ({ everyone }) =>
  everyone.some(
    ({ task, wait }) =>
      wait?.on.some((awaited) => awaited.what === 'file' && awaited.file.kind === 'eventfd') &&
      !hasOnlyLoopBells(task.process),
  );

/** Any process may map a file or segment that may still have a name, and could then wake a futex in it. */
const futexInNamedFile: Doubt = ({ everyone }) =>
  someAwaited(everyone, (awaited) => awaited.what === 'futex' && hasName(awaited.futex.mapping));

const hasName = (mapping: string | null): boolean => mapping !== null && !mapping.endsWith(' nameless');

/** A semaphore or lock with a name: a process that is not in the set yet may open it and let the others go on. */
export function mayBePosted(cause: Cause): boolean {
  if (cause.kind !== 'knot') return false;
  return cause.tasks.some(
    ({ thread: { call } }) => 'at' in call && call.at === 'call' && hasName(call.futex?.mapping ?? null),
  );
}

/** An alarm that ends one of several processes lets the others go on. */
const alarmPending: Doubt = ({ view, everyone }) =>
  alarmMayOpen(view, new Set(everyone.map(({ task }) => task.process.pid)));

/** That the first thread only collects results follows from names, not from the kernel. */
const ofTestHarness: Doubt = ({ members }) =>
  members.some(({ task }) => isTestThread(task.process, task.thread));

const seriousDoubts: Doubt[] = [notStill, parkedByJava, searchWasCut, sharerUnread, maybeInherited];
const doubts: Doubt[] = [
  holdersUnseen,
  lockHolderUnseen,
  sendMayGiveUp,
  watchedUnsure,
  maybePassed,
  terminalHasName,
  ringAtWork,
  pipeKeptOutside,
  lockKeptOutside,
  memoryMayBeShared,
  handlersHidden,
  signalHandled,
  interruptAwaited,
  bellOfTheKernel,
  futexInNamedFile,
  alarmPending,
  ofTestHarness,
];

/** No end can be reached: no thread of the set can wake another. Determines the kind of set, and how sure that is. */
export function describeKnot(view: View, exploration: Exploration): Extract<Cause, { kind: 'knot' }> {
  const pids = bottom(exploration);
  const members = [...pids].flatMap((pid) => exploration.outlooks.get(pid) ?? []);
  const everyone = [...exploration.outlooks.values()].flat();
  const overFiles = exploration.edges.some(
    ({ from, via }) => pids.has(from.process.pid) && sharedVias.has(via),
  );
  const overMappings = someAwaited(
    members,
    (awaited) => awaited.what === 'futex' && awaited.futex.mapping !== null,
  );
  // An event loop, or a timer: any process that has it open, too, can end the wait.
  const overLoops = someAwaited(
    members,
    (awaited) =>
      awaited.what === 'file' && (awaited.file.kind === 'epoll' || awaited.file.kind === 'timerfd'),
  );
  const needsHolders = overFiles || overMappings || overLoops;
  const knot: Knot = { view, members, everyone, needsHolders };
  const proof = seriousDoubts.some((doubt) => doubt(knot))
    ? 'partial'
    : doubts.some((doubt) => doubt(knot))
      ? 'strong'
      : 'complete';
  const alone = pids.size === 1 && members.every(merelySleeps);
  return { kind: 'knot', tasks: members.map(({ task }) => task), alone, proof };
}

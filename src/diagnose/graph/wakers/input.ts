import { isAbsent } from '../../../model/facts/absence.js';
import type { FdFacts } from '../../../model/facts/snapshot.js';
import type { Cause } from '../cause.js';
import type { View } from '../view.js';
import { toProcesses, type Via, type Waker } from '../waker.js';

/** The FIFO that notifies the input pump of a run about new input: run/input. */
const bell = /\/run_[0-9a-f]{12}\/bell$/;
/** The same for a run that was started from another machine: places/remote. */
const bellThere = /\/unstuck(\/places|-places-[^/]+)\/run_[0-9a-f]{12}\/bell$/;

export function isBell({ link }: FdFacts): boolean {
  return bell.test(link);
}

/** A FIFO that no thread waits for in a read may be known as a file only. */
function hearsBell(view: View, pid: number, path: RegExp): boolean {
  const fds = view.process(pid)?.fds ?? [];
  const isNamed = (kind: FdFacts['kind']) => kind === 'fifo' || kind === 'file';
  return !isAbsent(fds) && fds.some(({ kind, read, link }) => isNamed(kind) && read && path.test(link));
}

/** The search for holders was cut off, so it may have missed such a pump. */
function wasCut({ snapshot: { searched } }: View): boolean {
  return !searched.done || searched.cut !== null;
}

/** Passes the input of a client on to a run. It never writes by itself: like an ancestor, it counts as outside. */
function isInputPump(view: View, pid: number): boolean {
  return hearsBell(view, pid, bell);
}

/** What the processes at the other end are, for all who wait there. */
interface Sources {
  /** One of them stands for the outside: an ancestor of the tree, or the pump that passes on the input of clients. */
  giveInput: boolean;
  followed: readonly number[];
  areRelays: boolean;
  holders: readonly number[];
  fromElsewhere: boolean;
}

/** Each view has lists of its own. */
const known = new WeakMap<readonly number[], Sources>();

function sourcesOf(view: View, outsiders: readonly number[]): Sources {
  const before = known.get(outsiders);
  if (before !== undefined) return before;
  const pumps = new Set(outsiders.filter((pid) => isInputPump(view, pid)));
  const { pid: ourselves } = view.snapshot.reader;
  const sources = {
    giveInput: outsiders.some((pid) => view.isAncestor(pid) || pumps.has(pid)),
    followed: outsiders.filter((pid) => view.isRelay(pid) || (pid !== ourselves && !pumps.has(pid))),
    areRelays: outsiders.length > 0 && outsiders.every((pid) => view.isRelay(pid)),
    holders: outsiders.filter((pid) => !pumps.has(pid) && !view.isRelay(pid)),
    fromElsewhere: outsiders.some((pid) => hearsBell(view, pid, bellThere)),
  };
  known.set(outsiders, sources);
  return sources;
}

/** One of these, which are a list of the view, stands for the outside. */
export function giveInput(view: View, outsiders: readonly number[]): boolean {
  return sourcesOf(view, outsiders).giveInput;
}

/**
 * Input from outside of the tree. A supervisor of Unstuck only passes on its own input, so the source of that input is
 * followed instead. Any other holder would have to send it; its own state may still prove that it will (see judge.ts).
 * A pump waits for clients, and this very process was asked: neither is followed.
 */
export function inputWakers(
  view: View,
  file: FdFacts,
  outsiders: readonly number[],
  { via, shared }: { via: Via; shared: boolean },
): Waker[] {
  const { followed, areRelays, holders, fromElsewhere } = sourcesOf(view, outsiders);
  const edges = toProcesses(followed, via, { input: file });
  if (areRelays) return edges;
  const unseen = outsiders.length === 0 && !shared;
  const distant = fromElsewhere || (unseen && wasCut(view));
  const cause: Cause = { kind: 'stdin', file, holders, shared, unseen, ...(distant && { distant }) };
  return [...edges, { to: 'outside', cause, strength: 'plain' }];
}

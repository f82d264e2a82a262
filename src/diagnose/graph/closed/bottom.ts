import type { Exploration } from '../explore.js';

/** The processes of an edge, shared by all that lead to them: together they go through the list once. */
interface List {
  readonly pids: readonly number[];
  at: number;
  /** Of its processes whose set is not known yet, the one that was found first. When its set is known, so are all. */
  first: Place | null;
}

/** Where each process leads. */
function listsOf({ edges, outlooks }: Exploration): Map<number, Set<List>> {
  const next = new Map<number, Set<List>>();
  for (const pid of outlooks.keys()) next.set(pid, new Set());
  const lists = new Map<readonly number[], List>();
  for (const { from, to } of edges) {
    const list = lists.get(to) ?? { pids: to, at: 0, first: null };
    lists.set(to, list);
    next.get(from.process.pid)?.add(list);
  }
  return next;
}

/** What is known of a process during the search. */
interface Place {
  /** In the order of the search. */
  readonly index: number;
  /** The first process that it leads back to. */
  low: number;
  /** Null as long as the set that it belongs to is not known. */
  set: Set<number> | null;
  readonly rest: Iterator<List>;
  /** The list that it goes through. */
  list: List | undefined;
}

function note(list: List, place: Place): void {
  const { first } = list;
  if (place.set !== null) return;
  if (first === null || first.set !== null || place.index < first.index) list.first = place;
}

/**
 * The set of processes that every path ends in and no path leaves: the set that the others wait for. If there are several,
 * the smallest; of equal ones, the first that is found. Every list is followed once (strongly connected sets, after Tarjan, without recursion).
 */
export function bottom(exploration: Exploration): Set<number> {
  const next = listsOf(exploration);
  const places = new Map<number, Place>();
  const open: number[] = [];
  const ends = new Set<ReadonlySet<number>>();

  const enter = (pid: number): Place => {
    const index = places.size;
    const rest = (next.get(pid) ?? new Set<List>()).values();
    const place: Place = { index, low: index, set: null, rest, list: rest.next().value };
    places.set(pid, place);
    open.push(pid);
    return place;
  };

  const close = (pid: number): void => {
    const set = new Set(open.splice(open.lastIndexOf(pid)));
    const lists = new Set<List>();
    for (const member of set) {
      const place = places.get(member);
      if (place !== undefined) place.set = set;
      for (const list of next.get(member) ?? []) lists.add(list);
    }
    const leaves = [...lists].some(({ pids }) => pids.some((to) => next.has(to) && !set.has(to)));
    if (!leaves) ends.add(set);
  };

  /** The next process of the list that was not found before. */
  const follow = (list: List): { pid: number; place: Place } | null => {
    while (list.at < list.pids.length) {
      const pid = list.pids[list.at++] as number;
      if (!next.has(pid)) continue;
      const known = places.get(pid);
      const place = known ?? enter(pid);
      note(list, place);
      if (known === undefined) return { pid, place };
    }
    return null;
  };

  for (const start of next.keys()) {
    if (places.has(start)) continue;
    const path = [{ pid: start, place: enter(start) }];
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const { pid, place } = last;
      const { list } = place;
      if (list !== undefined) {
        const found = follow(list);
        if (found !== null) {
          path.push(found);
          continue;
        }
        if (list.first?.set === null) place.low = Math.min(place.low, list.first.index);
        place.list = place.rest.next().value;
        continue;
      }
      path.pop();
      const before = path.at(-1);
      if (before !== undefined) before.place.low = Math.min(before.place.low, place.low);
      if (place.low === place.index) close(pid);
    }
  }
  const size = Math.min(...[...ends].map((set) => set.size));
  for (const { set } of places.values()) if (set?.size === size && ends.has(set)) return set;
  return new Set();
}

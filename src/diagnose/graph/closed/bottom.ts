import type { Exploration } from '../explore.js';

/** Where each process leads, of those that were explored. */
function edgesOf({ edges, outlooks }: Exploration): Map<number, Set<number>> {
  const next = new Map<number, Set<number>>();
  for (const pid of outlooks.keys()) next.set(pid, new Set());
  for (const { from, to } of edges) if (outlooks.has(to)) next.get(from.process.pid)?.add(to);
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
  readonly rest: Iterator<number>;
}

/**
 * The set of processes that every path ends in and no path leaves: the set that the others wait for. If there are several,
 * the smallest; of equal ones, the first that is found. Every edge is followed once (strongly connected sets, after Tarjan, without recursion).
 */
export function bottom(exploration: Exploration): Set<number> {
  const next = edgesOf(exploration);
  const places = new Map<number, Place>();
  const open: number[] = [];
  const ends = new Set<ReadonlySet<number>>();

  const enter = (pid: number): Place => {
    const index = places.size;
    const place: Place = {
      index,
      low: index,
      set: null,
      rest: (next.get(pid) ?? new Set<number>()).values(),
    };
    places.set(pid, place);
    open.push(pid);
    return place;
  };

  const close = (pid: number): void => {
    const set = new Set(open.splice(open.lastIndexOf(pid)));
    for (const member of set) {
      const place = places.get(member);
      if (place !== undefined) place.set = set;
    }
    const leaves = [...set].some((member) => [...(next.get(member) ?? [])].some((to) => !set.has(to)));
    if (!leaves) ends.add(set);
  };

  for (const start of next.keys()) {
    if (places.has(start)) continue;
    const path = [{ pid: start, place: enter(start) }];
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const { pid, place } = last;
      const { value: to, done } = place.rest.next();
      if (done !== true) {
        const known = places.get(to);
        if (known === undefined) path.push({ pid: to, place: enter(to) });
        else if (known.set === null) place.low = Math.min(place.low, known.index);
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

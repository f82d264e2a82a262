import type { FdFacts } from './snapshot.js';

interface FdIndex {
  byNumber: ReadonlyMap<number, FdFacts>;
  /** Pipes and sockets only, because their names never change. */
  byObject: ReadonlyMap<string, FdFacts>;
}

const indexes = new WeakMap<readonly FdFacts[], FdIndex>();

/** Finds open files without scanning the list: a server may have ten thousand, and epoll names each. */
export function fdIndex(fds: readonly FdFacts[]): FdIndex {
  const known = indexes.get(fds);
  if (known !== undefined) return known;
  const named = fds.filter(({ kind }) => kind === 'pipe' || kind === 'socket');
  const index = {
    byNumber: new Map(fds.map((file) => [file.fd, file])),
    byObject: new Map(named.map((file) => [file.object, file])),
  };
  indexes.set(fds, index);
  return index;
}

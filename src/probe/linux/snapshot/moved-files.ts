import { isAbsent } from '../../../model/facts/absence.js';
import type { FdFacts, ProcessFacts } from '../../../model/facts/snapshot.js';
import type { ProcessDir } from '../kernel/kernel.js';
import { classifyLink, readEach, readFd, terminalName } from '../proc/fd.js';

/** With more open files than this, reading them several times would take too long. */
const filesMax = 4096;

/** What the search for holders knows of objects that threads wait for. */
export interface SearchedObjects {
  isSearched(object: string): boolean;
  /** Of event loops and timers, which all have one link: the objects that are open under a number of a thread; null: it is closed now. */
  searchedUnder(task: number, fd: number, link: string): readonly string[] | null;
  /** Those that a process had open when the search came to it. */
  heldBy(pid: number): Iterable<string>;
}

/** Only fdinfo names these objects. */
const namedByInfo: ReadonlySet<string> = new Set(['eventfd', 'ptmx']);

/**
 * Adds the searched objects that a process which ran has open, and that were overlooked because it moved them to another number
 * while its files were read: a shell does so for each redirection. `base`: as for `readFd`.
 */
export function addMovedFiles(
  dir: ProcessDir,
  base: string,
  facts: ProcessFacts,
  searched: SearchedObjects,
): void {
  if (isAbsent(facts.fds)) return;
  const terminal = terminalName(facts.terminal.number);
  const known = new Set<string>();
  const moved: FdFacts[] = [];
  const note = (file: FdFacts): boolean => {
    const ways = `${file.read} ${file.write}`;
    const names = [file.object, classifyLink(file.link, terminal).object];
    const isNew = !names.some((name) => known.has(`${name} ${ways}`));
    for (const name of names) known.add(name).add(`${name} ${ways}`);
    return isNew;
  };
  for (const file of [...facts.fds, ...(facts.fdsApart ?? [])]) note(file);
  const task = Number(/^task\/(\d+)\/$/.exec(base)?.[1] ?? facts.pid);
  let isLost = false;
  const read = (fd: number): string | null => {
    const link = dir.link(`${base}fd/${fd}`);
    if (isAbsent(link)) return link.absent === 'gone' ? null : '';
    const { kind, object } = classifyLink(link, terminal);
    const shared = searched.searchedUnder(task, fd, link);
    if (shared === null) return null;
    // It was open under another number when files were compared.
    if (shared.some((name) => !known.has(name))) isLost = true;
    if (!namedByInfo.has(kind) && !searched.isSearched(object)) return link;
    const file = readFd(dir, base, fd, terminal);
    if (isAbsent(file) || file.link !== link) return null;
    if ((searched.isSearched(file.object) || searched.isSearched(object)) && note(file)) moved.push(file);
    return link;
  };
  const isFew = facts.fds.length <= filesMax;
  const end = isFew
    ? readEach(
        () => dir.numbers(`${base}fd`),
        read,
        () => false,
      )
    : 'restless';
  isLost ||= [...searched.heldBy(facts.pid)].some((object) => !known.has(object));
  // A named pipe is known by the inode behind its name, which is read with the files of the first pass.
  const isNamed = moved.some(({ kind }) => kind === 'file');
  if (moved.length > 0) facts.fdsApart = [...(facts.fdsApart ?? []), ...moved];
  if (end === 'restless' || isLost || isNamed) facts.filesApart = true;
}

import { isAbsent } from '../../model/absence.js';
import type { ProcessSample } from '../../model/sample.js';
import { parseNet } from './net.js';
import { listNumbers, readLink, readText } from './proc-file.js';

/** More than this per tick would cost more than it tells. */
const linksPerTickMax = 2048;

interface Known {
  /** The same object again: the process did not run, so it opened and closed nothing. */
  sample: ProcessSample;
  files: number | null;
  sockets: Set<number>;
}

export interface FileCount {
  /** null: not all could be counted. */
  openFiles: number | null;
  /** TCP connections by state; null: not known. */
  connections: Record<string, number> | null;
}

/** Counts the open files and connections of a tree, looking again only at those who ran. */
export class FileCensus {
  #known = new Map<number, Known>();

  take(processes: readonly ProcessSample[]): FileCount {
    const before = this.#known;
    this.#known = new Map();
    let links = linksPerTickMax;
    let openFiles: number | null = 0;
    for (const sample of processes) {
      const last = before.get(sample.pid);
      const known = last?.sample === sample ? last : look(sample, links);
      if (known !== last) links -= known.files ?? 0;
      this.#known.set(sample.pid, known);
      openFiles = openFiles === null || known.files === null ? null : openFiles + known.files;
    }
    return { openFiles, connections: openFiles === null ? null : this.#connections() };
  }

  #connections(): Record<string, number> | null {
    const counts: Record<string, number> = {};
    const sockets = new Set<number>();
    let anybody: number | null = null;
    for (const [pid, known] of this.#known) {
      if (known.sockets.size > 0) anybody = pid;
      for (const inode of known.sockets) sockets.add(inode);
    }
    if (anybody === null) return counts;
    for (const name of ['tcp', 'tcp6']) {
      // Through one of them: the tree may live in a network of its own.
      const text = readText(`/proc/${anybody}/net/${name}`);
      if (isAbsent(text)) {
        if (text.absent === 'gone' && name === 'tcp6') continue;
        return null;
      }
      for (const { inode, state } of parseNet(text, 'tcp', '')) {
        if (sockets.has(inode)) counts[state] = (counts[state] ?? 0) + 1;
      }
    }
    return counts;
  }
}

function look(sample: ProcessSample, linksLeft: number): Known {
  const sockets = new Set<number>();
  const dir = `/proc/${sample.pid}/fd`;
  const numbers = listNumbers(dir);
  if (isAbsent(numbers) || numbers.length > linksLeft) return { sample, files: null, sockets };
  for (const number of numbers) {
    const link = readLink(`${dir}/${number}`);
    const inode = isAbsent(link) ? null : /^socket:\[(\d+)\]$/.exec(link);
    if (inode !== null) sockets.add(Number(inode[1]));
  }
  return { sample, files: numbers.length, sockets };
}

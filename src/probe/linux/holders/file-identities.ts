import type { NativeFacts } from '../kernel/kernel.js';

/** A number under which a thread has the file open. */
interface Held {
  readonly task: number;
  readonly fd: number;
}

/** One open file: all the numbers it was found under. Two files are the same if they have the same identity. */
export type FileIdentity = readonly Held[];

/**
 * Open files that have no number of their own in /proc (event loops, timers). The kernel compares two of them and tells
 * their order, so that each is found among all others in a few steps.
 */
export class FileIdentities {
  readonly #native: NativeFacts;
  readonly #sorted: Held[][] = [];
  readonly #known = new Map<number, Map<number, FileIdentity>>();

  constructor(native: NativeFacts) {
    this.#native = native;
  }

  /** null: not known (rights, a capture), or closed. */
  of(task: number, fd: number): FileIdentity | null {
    let files = this.#known.get(task);
    if (files === undefined) {
      files = new Map();
      this.#known.set(task, files);
    }
    let identity: FileIdentity | null | undefined = files.get(fd);
    if (identity === undefined) {
      identity = this.#find({ task, fd });
      // A number that is closed now may have a file later.
      if (identity !== null) files.set(fd, identity);
    }
    return identity;
  }

  #find(held: Held): FileIdentity | null {
    let [from, to] = [0, this.#sorted.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      const file = this.#sorted[middle] ?? [];
      const order = this.#order(held, file);
      if (order === null) return null;
      if (order === 0) {
        file.push(held);
        return file;
      }
      if (order === 'gone') {
        this.#sorted.splice(middle, 1);
        to -= 1;
      } else if (order < 0) to = middle;
      else from = middle + 1;
    }
    if (this.#compare(held, held) === null) return null;
    const file = [held];
    this.#sorted.splice(from, 0, file);
    return file;
  }

  /** `gone`: each process that had the file has ended, or closed it. */
  #order(held: Held, file: Held[]): -1 | 0 | 1 | null | 'gone' {
    for (let other = file[0]; other !== undefined; other = file[0]) {
      const order = this.#compare(held, other);
      if (order !== null) return order;
      if (this.#compare(held, held) === null) return null;
      file.shift();
    }
    return 'gone';
  }

  #compare(a: Held, b: Held): -1 | 0 | 1 | null {
    return this.#native.orderOfFiles(a.task, a.fd, b.task, b.fd);
  }
}

import fs from 'node:fs';
import { type Absent, isAbsent } from '../../../model/facts/absence.js';
import { keptDescriptorsMax } from '../machine/descriptors.js';
import { attempt, listNumbers, readBytes, readLink, readText } from './proc-file.js';

/** Directories held open now, and their limit: half of the free descriptors, so that reading still works. */
let pinned = 0;
let pinnedMax = 0;

/**
 * Whether a process of the same user lets only root read it: it set PR_SET_DUMPABLE, or its program has rights of its
 * own (set-group-id, capabilities, not readable). Its directory belongs to its user, the files in it to root (proc(5)).
 * Where no reading is allowed at all, both belong to its user.
 */
function hidesFromOwnUser(directory: string, inside: string): boolean {
  const [outer, inner] = [directory, inside].map((path) => attempt(() => fs.statSync(path).uid));
  return outer === process.geteuid?.() && typeof inner === 'number' && inner !== outer;
}

/**
 * /proc/PID held open as a directory: a pinned identity. After the process is gone every read returns ESRCH, even when
 * its pid is reused. A path cannot promise that.
 */
export class ProcDir {
  readonly pid: number;
  readonly #fd: number | null;
  readonly #base: string;
  #hides: boolean | null = null;

  private constructor(pid: number, fd: number | null) {
    this.pid = pid;
    this.#fd = fd;
    this.#base = fd === null ? `/proc/${pid}` : `/proc/self/fd/${fd}`;
  }

  static open(pid: number): ProcDir | Absent {
    if (pinned === 0) pinnedMax = keptDescriptorsMax();
    // Short of descriptors: go on by path. The start time read in both passes still reveals a reused pid.
    if (pinned >= pinnedMax) return new ProcDir(pid, null);
    const { O_RDONLY, O_DIRECTORY } = fs.constants;
    const fd = attempt(() => fs.openSync(`/proc/${pid}`, O_RDONLY | O_DIRECTORY));
    if (isAbsent(fd)) return fd.absent === 'limit' ? new ProcDir(pid, null) : fd;
    pinned += 1;
    return new ProcDir(pid, fd);
  }

  get pinned(): boolean {
    return this.#fd !== null;
  }

  path(name: string): string {
    return `${this.#base}/${name}`;
  }

  bytes(name: string): Buffer | Absent {
    return this.#explained(readBytes(this.path(name)));
  }

  text(name: string): string | Absent {
    return this.#explained(readText(this.path(name)));
  }

  link(name: string): string | Absent {
    return this.#explained(readLink(this.path(name)));
  }

  /** A descriptor to read from; the caller closes it. */
  open(name: string): number | Absent {
    return this.#explained(attempt(() => fs.openSync(this.path(name), fs.constants.O_RDONLY)));
  }

  numbers(name: string): number[] | Absent {
    return this.#explained(listNumbers(this.path(name)));
  }

  #explained<T>(read: T | Absent): T | Absent {
    if (!isAbsent(read) || read.absent !== 'not-permitted') return read;
    this.#hides ??= hidesFromOwnUser(this.path('.'), this.path('fd'));
    return this.#hides ? { absent: 'hidden' } : read;
  }

  close(): void {
    if (this.#fd === null) return;
    fs.closeSync(this.#fd);
    pinned -= 1;
  }
}

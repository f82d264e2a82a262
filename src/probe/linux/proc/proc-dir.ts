import fs from 'node:fs';
import { type Absent, isAbsent } from '../../../model/facts/absence.js';
import type { FileStat, ProcessDir } from '../kernel/kernel.js';
import { keptDescriptorsMax } from '../machine/descriptors.js';
import { openBelow } from '../native/below.js';
import { Memory } from './mem.js';
import { attempt, below, listNumbers, readBytes, readLink, readPiece } from './proc-file.js';

/** Files that the kernel prints at once (single_open): a short read is their end. */
const inOnePiece = /(?:^|\/)(?:stat|schedstat|syscall|wchan|sched|status|io|statm|comm)$/;

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
export class ProcDir implements ProcessDir {
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
    const isOne = inOnePiece.test(name);
    const path = this.path(name);
    if (this.#fd !== null) return this.#explained(below.bytes(this.#fd, name, path, isOne));
    return this.#explained(isOne ? readPiece(path) : readBytes(path));
  }

  text(name: string): string | Absent {
    if (this.#fd !== null)
      return this.#explained(below.text(this.#fd, name, this.path(name), inOnePiece.test(name)));
    const bytes = this.bytes(name);
    return isAbsent(bytes) ? bytes : bytes.toString('utf8');
  }

  link(name: string): string | Absent {
    const path = this.path(name);
    return this.#explained(this.#fd === null ? readLink(path) : below.link(this.#fd, name, path));
  }

  /** A descriptor to read from; the caller closes it. */
  open(name: string): number | Absent {
    const fd = this.#fd === null ? null : openBelow(this.#fd, name);
    return fd ?? this.#explained(attempt(() => fs.openSync(this.path(name), fs.constants.O_RDONLY)));
  }

  numbers(name: string): number[] | Absent {
    const path = this.path(name);
    return this.#explained(this.#fd === null ? listNumbers(path) : below.numbers(this.#fd, name, path));
  }

  /** lstat, never stat: stat follows the link into the file system, which may be a dead mount. */
  linkMode(name: string): number | Absent {
    return attempt(() => fs.lstatSync(this.path(name)).mode);
  }

  stat(name: string): FileStat | Absent {
    const stat = attempt(() => fs.statSync(this.path(name), { bigint: true }));
    if (isAbsent(stat)) return stat;
    return { device: stat.dev, inode: stat.ino, links: Number(stat.nlink), fifo: stat.isFIFO() };
  }

  head(name: string, length: number): Buffer | Absent {
    return this.#piece(name, length, () => 0);
  }

  tail(name: string, length: number): Buffer | Absent {
    return this.#piece(name, length, (size) => Math.max(0, size - length));
  }

  memory(task: number | null): Memory {
    return Memory.of(this, task);
  }

  #piece(name: string, length: number, from: (size: number) => number): Buffer | Absent {
    return attempt(() => {
      const { O_RDONLY, O_NONBLOCK, O_NOCTTY } = fs.constants;
      const fd = fs.openSync(this.path(name), O_RDONLY | O_NONBLOCK | O_NOCTTY);
      try {
        const bytes = Buffer.alloc(length);
        return bytes.subarray(0, fs.readSync(fd, bytes, 0, length, from(fs.fstatSync(fd).size)));
      } finally {
        fs.closeSync(fd);
      }
    });
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

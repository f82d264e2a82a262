import fs from 'node:fs';
import { type Absent, isAbsent } from '../../model/absence.js';
import { attempt, listNumbers, readBytes, readLink, readText } from './proc-file.js';

/**
 * /proc/PID held open as a directory: a pinned identity. After the process is gone every read answers
 * ESRCH, even when its number is used again, which a path cannot promise.
 */
export class ProcDir {
  readonly pid: number;
  readonly #fd: number | null;
  readonly #base: string;

  private constructor(pid: number, fd: number | null) {
    this.pid = pid;
    this.#fd = fd;
    this.#base = fd === null ? `/proc/${pid}` : `/proc/self/fd/${fd}`;
  }

  static open(pid: number): ProcDir | Absent {
    const { O_RDONLY, O_DIRECTORY } = fs.constants;
    const fd = attempt(() => fs.openSync(`/proc/${pid}`, O_RDONLY | O_DIRECTORY));
    if (!isAbsent(fd)) return new ProcDir(pid, fd);
    // Out of descriptors: go on by path. The start time read in both collects still tells a stranger.
    return fd.absent === 'limit' ? new ProcDir(pid, null) : fd;
  }

  get pinned(): boolean {
    return this.#fd !== null;
  }

  path(name: string): string {
    return `${this.#base}/${name}`;
  }

  bytes(name: string): Buffer | Absent {
    return readBytes(this.path(name));
  }

  text(name: string): string | Absent {
    return readText(this.path(name));
  }

  link(name: string): string | Absent {
    return readLink(this.path(name));
  }

  numbers(name: string): number[] | Absent {
    return listNumbers(this.path(name));
  }

  close(): void {
    if (this.#fd !== null) fs.closeSync(this.#fd);
  }
}

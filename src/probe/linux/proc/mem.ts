import fs from 'node:fs';
import { type Absent, isAbsent } from '../../../model/facts/absence.js';
import { attempt } from './proc-file.js';

/** The memory of a process, opened on first use. Reading it neither stops nor wakes the process. */
export class Memory {
  readonly #open: () => number | Absent;
  #fd: number | Absent | null = null;

  constructor(open: () => number | Absent) {
    this.#open = open;
  }

  /** `task` is the way in when the leader is a zombie: then its own mem file returns ESRCH. */
  static of(dir: { open(name: string): number | Absent }, task: number | null): Memory {
    const name = task === null ? 'mem' : `task/${task}/mem`;
    return new Memory(() => dir.open(name));
  }

  read(address: bigint, length: number): Buffer | Absent {
    this.#fd ??= this.#open();
    const fd = this.#fd;
    if (isAbsent(fd)) return fd;
    if (address === 0n || address > 0x7fff_ffff_ffff_ffffn) return { absent: 'unsupported' };
    // A small one is part of a larger buffer, which is less to clear away. Only what was read is passed on.
    const bytes = Buffer.allocUnsafe(length);
    const got = attempt(() => fs.readSync(fd, bytes, 0, length, address));
    if (isAbsent(got)) return { absent: got.absent === 'not-permitted' ? 'not-permitted' : 'failed' };
    // Zero bytes: the address space is gone (exec or exit since it was opened).
    return got === 0 ? { absent: 'gone' } : bytes.subarray(0, got);
  }

  /** All of it or nothing: half of a structure is useless. */
  readWhole(address: bigint, length: number): Buffer | Absent {
    const bytes = this.read(address, length);
    return isAbsent(bytes) || bytes.length === length ? bytes : { absent: 'failed' };
  }

  close(): void {
    if (typeof this.#fd === 'number') fs.closeSync(this.#fd);
    this.#fd = null;
  }
}

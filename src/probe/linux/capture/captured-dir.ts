import { type Absent, isAbsent } from '../../../model/facts/absence.js';
import type { FileStat, ProcessDir } from '../kernel/kernel.js';
import { Memory } from '../proc/mem.js';
import type { Region } from './capture.js';
import type { CapturedFiles } from './captured-files.js';

const notThere: Absent = { absent: 'uncaptured' };

/** The memory that the arguments of calls point to. */
export class CapturedMemory extends Memory {
  readonly #regions: readonly Region[];

  constructor(regions: readonly Region[]) {
    super(() => notThere);
    this.#regions = regions;
  }

  override read(address: bigint, length: number): Buffer | Absent {
    for (const { at, bytes } of this.#regions) {
      const offset = address - at;
      if (offset < 0n || offset >= BigInt(bytes.length)) continue;
      return bytes.subarray(Number(offset), Number(offset) + length);
    }
    return notThere;
  }
}

/** The directory of one process in a capture. */
export class CapturedDir implements ProcessDir {
  readonly pid: number;
  readonly #files: CapturedFiles;
  readonly #regions: readonly Region[];

  constructor(pid: number, files: CapturedFiles, regions: readonly Region[]) {
    this.pid = pid;
    this.#files = files;
    this.#regions = regions;
  }

  bytes(name: string): Buffer | Absent {
    return this.#files.bytes(this.#path(name));
  }

  text(name: string): string | Absent {
    return this.#files.text(this.#path(name));
  }

  link(name: string): string | Absent {
    return this.#files.link(this.#path(name));
  }

  numbers(name: string): number[] | Absent {
    return this.#files.numbers(this.#path(name));
  }

  linkMode(name: string): number | Absent {
    return this.#files.linkMode(this.#path(name));
  }

  /** Nothing was captured of the files themselves. */
  stat(): FileStat | Absent {
    return notThere;
  }

  head(name: string, length: number): Buffer | Absent {
    const [space, link] = [this.link('ns/mnt'), this.link(name)];
    if (isAbsent(space) || isAbsent(link)) return notThere;
    const bytes = this.#files.bytes(`/${space}/exe${link}`);
    return isAbsent(bytes) ? notThere : bytes.subarray(0, length);
  }

  tail(): Buffer | Absent {
    return notThere;
  }

  memory(): Memory {
    return new CapturedMemory(this.#regions);
  }

  close(): void {}

  #path(name: string): string {
    return `/proc/${this.pid}/${name}`;
  }
}

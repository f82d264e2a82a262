import { type Absent, isAbsent } from '../../../model/facts/absence.js';
import type { KernelFiles } from '../kernel/kernel.js';
import { memoryOrigin } from '../proc/stat.js';
import { livingDirectory } from './living-directory.js';

/**
 * A family: processes that come from one start of a program by fork or clone, and have started no other program since.
 * They may share one memory, and they have inherited files, wherever they are in the tree of processes: the process
 * between two of them may have ended.
 */
export class ForkFamilies {
  readonly #files: KernelFiles;
  readonly #origins = new Map<number, string | null>();
  readonly #members = new Map<string, ReadonlySet<number>>();
  #byProgram: ReadonlyMap<string, readonly number[]> | null = null;

  constructor(files: KernelFiles) {
    this.#files = files;
  }

  /** The processes of the family of a process that runs this program, itself included. */
  of(pid: number, exe: string): ReadonlySet<number> {
    const origin = this.#origin(pid);
    if (origin === null) return new Set([pid]);
    const name = `${origin} ${exe}`;
    const known = this.#members.get(name);
    if (known !== undefined) return known;
    this.#byProgram ??= this.#programs();
    const same = this.#byProgram.get(exe) ?? [];
    const members = new Set([pid, ...same.filter((other) => this.#origin(other) === origin)]);
    this.#members.set(name, members);
    return members;
  }

  #origin(pid: number): string | null {
    let origin = this.#origins.get(pid);
    if (origin === undefined) {
      const stat = this.#files.bytes(`${livingDirectory(this.#files, pid)}/stat`);
      origin = isAbsent(stat) ? null : memoryOrigin(stat);
      this.#origins.set(pid, origin);
    }
    return origin;
  }

  #exe(pid: number): string | Absent {
    const exe = this.#files.link(`/proc/${pid}/exe`);
    const directory = isAbsent(exe) ? livingDirectory(this.#files, pid) : null;
    return directory === null || directory === `/proc/${pid}` ? exe : this.#files.link(`${directory}/exe`);
  }

  /** Processes by the program that they run, as far as this user may read it. */
  #programs(): Map<string, number[]> {
    const programs = new Map<string, number[]>();
    const listed = this.#files.numbers('/proc');
    for (const pid of isAbsent(listed) ? [] : listed) {
      const exe = this.#exe(pid);
      if (isAbsent(exe)) continue;
      const pids = programs.get(exe);
      if (pids === undefined) programs.set(exe, [pid]);
      else pids.push(pid);
    }
    return programs;
  }
}

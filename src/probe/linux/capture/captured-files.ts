import { type Absent, isAbsent } from '../../../model/facts/absence.js';
import type { KernelFiles } from '../kernel/kernel.js';
import type { Capture, Reading } from './capture.js';

const gone: Absent = { absent: 'gone' };

/** Files that are the same for all processes of a namespace are captured once. */
const shared = /^\/proc\/(\d+)\/(?:net\/(\w+)|(mountinfo))$/;

/** Which groups a process is in was read once; what these groups say was read twice. */
const lasting = /^\/proc\/\d+\/cgroup$/;

/** Files that are captured only where they seem to be needed. */
const partial = /^\/proc\/(\d+)\/(?:maps|task\/\d+\/fd(?:info)?)(?:\/|$)/;

/** /proc and /sys of a capture: the first reading, then the second. */
export class CapturedFiles implements KernelFiles {
  readonly #capture: Capture;
  #reading: Reading;

  constructor(capture: Capture) {
    this.#capture = capture;
    this.#reading = capture.first;
  }

  beginSecond(): void {
    this.#reading = this.#capture.second;
  }

  readonly bytes = (path: string): Buffer | Absent => {
    const place = this.#placeOf(path);
    if (isAbsent(place)) return place;
    const reading = lasting.test(path) ? this.#capture.first : this.#reading;
    return reading.files.get(place) ?? this.#missing(place, reading);
  };

  text(path: string): string | Absent {
    const bytes = this.bytes(path);
    return Buffer.isBuffer(bytes) ? bytes.toString('utf8') : bytes;
  }

  link(path: string): string | Absent {
    const link = this.#reading.links.get(path);
    if (link === undefined) return this.#missing(path);
    return link.target ?? { absent: 'not-permitted' };
  }

  linkMode(path: string): number | Absent {
    return this.#reading.links.get(path)?.mode ?? this.#missing(path);
  }

  numbers(path: string): number[] | Absent {
    const list = this.#reading.lists.get(path);
    if (list === undefined) return this.#missing(path);
    // Open files whose links are out of reach are not known.
    const isDenied = list.some((number) => this.#reading.links.get(`${path}/${number}`)?.target === null);
    return isDenied ? { absent: 'not-permitted' } : list;
  }

  /** Its threads were captured, not only its name and its open files. */
  isWhole(pid: number): boolean {
    return this.#capture.first.lists.has(`/proc/${pid}/task`);
  }

  /** It was there. */
  isListed(pid: number): boolean {
    return this.#capture.skipped.has(pid) || this.#capture.first.files.has(`/proc/${pid}/stat`);
  }

  #placeOf(path: string): string | Absent {
    const [, pid, net, mounts] = shared.exec(path) ?? [];
    if (pid === undefined) return path;
    const space = this.#capture.first.links.get(`/proc/${pid}/ns/${net === undefined ? 'mnt' : 'net'}`);
    return space === undefined || space.target === null ? gone : `/${space.target}/${net ?? mounts}`;
  }

  #missing(path: string, reading = this.#reading): Absent {
    const reason = reading.absent.get(path);
    if (reason !== undefined) return { absent: reason };
    const pid = partial.exec(path)?.[1];
    const isThere = pid !== undefined && this.#capture.first.files.has(`/proc/${pid}/stat`);
    return { absent: isThere ? 'uncaptured' : 'gone' };
  }
}

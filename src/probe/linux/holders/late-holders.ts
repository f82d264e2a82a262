import { isAbsent } from '../../../model/facts/absence.js';
import type { SocketFacts } from '../../../model/facts/sockets.js';
import { readLastGiven } from '../machine/pid-turnover.js';
import { elsewhere, filesIn } from '../sockets/unread-messages.js';
import type { FileHolders } from './file-holders.js';
import { taskDirectory } from './living-directory.js';
import { type Opening, readObjects } from './open-objects.js';

/** A look takes about this long at most; the next one goes on where it ended. */
const lookMsMax = 4;
const youngestMax = 20;
const socketsMax = 64;
const twice = { alike: 2, readings: 2 };

/**
 * What a search could not see because it reads one process after the other: an open file that is sent to and fro, that is
 * moved to another number, or that each process leaves to its child. Looks again at processes that ran meanwhile.
 */
export class LateHolders {
  readonly #holders: FileHolders;
  readonly #byObject = new Map<string, Set<number>>();
  readonly #messages = new Map<number, SocketFacts>();
  #running: Iterator<number | null> | null = null;
  #youngest: number | null = null;
  #socketsLeft = 0;

  constructor(holders: FileHolders) {
    this.#holders = holders;
  }

  /** Processes that had this open at a later moment. */
  of(object: string): Iterable<number> {
    return this.#byObject.get(object) ?? [];
  }

  /** Sockets that were seen with open files in unread messages. */
  get messages(): Iterable<SocketFacts> {
    return this.#messages.values();
  }

  look(): void {
    const untilMs = performance.now() + lookMsMax;
    this.#socketsLeft = socketsMax;
    this.#lookAtYoungest();
    this.#running ??= this.#holders.whoRan();
    for (let next = this.#running.next(); ; next = this.#running.next()) {
      if (next.done === true) {
        this.#running = null;
        return;
      }
      const { value: pid } = next;
      if (pid !== null) for (const task of this.#holders.tablesOf(pid)) this.#lookAt(pid, task);
      if (performance.now() > untilMs) return;
    }
  }

  /** A process that lives for a millisecond has ended before it is found in a list. */
  #lookAtYoungest(): void {
    const { files } = this.#holders;
    for (let round = 0; round < youngestMax; round += 1) {
      const tid = readLastGiven(files);
      if (tid === null || tid === this.#youngest) return;
      this.#youngest = tid;
      // The number may be that of a thread.
      const status = files.text(`/proc/${tid}/status`);
      const process = isAbsent(status) ? undefined : /^Tgid:\s*(\d+)/m.exec(status)?.[1];
      if (process !== undefined) this.#lookAt(Number(process), Number(process));
    }
  }

  #lookAt(pid: number, task: number): void {
    const { objects } = readObjects(this.#holders.files, pid, [task], false, () => false, twice);
    if (isAbsent(objects)) return;
    this.#note(pid, objects.keys());
    for (const [object, [opening]] of objects)
      if (object.startsWith('socket:') && opening !== undefined) this.#lookForMessage(pid, object, opening);
  }

  #lookForMessage(pid: number, object: string, { task, fd }: Opening): void {
    if (this.#socketsLeft-- <= 0) return;
    const info = this.#holders.files.text(`${taskDirectory(pid, task)}/fdinfo/${fd}`);
    const sent = isAbsent(info) ? null : filesIn(info);
    const inode = Number(object.slice('socket:'.length));
    if (sent !== null && sent > 0) this.#messages.set(inode, elsewhere(inode, sent));
  }

  #note(pid: number, objects: Iterable<string>): void {
    for (const object of objects) {
      const pids = this.#byObject.get(object);
      if (pids === undefined) this.#byObject.set(object, new Set([pid]));
      else pids.add(pid);
    }
  }
}

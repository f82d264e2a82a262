import fs from 'node:fs';
import type { Failure } from '../../model/failure.js';
import type { RunLog } from '../../model/run/run.js';
import type { PlaceSession, Watch } from '../../places/session.js';
import { openForAppend } from '../../store/files.js';
import type { RunDirectory } from '../../store/run-directory.js';
import { type PlaceState, parsePlaceState } from './place-state.js';

export interface MirrorOptions {
  session: PlaceSession;
  directory: RunDirectory;
  logs: readonly RunLog[];
  /** Called for each state, after all output from before it is here. */
  seen(state: PlaceState): void;
  /** The place cannot be asked; null: it can be again. */
  reachable(failure: Failure | null): void;
}

const againMs = 1000;
/** Bytes of a connection that was replaced did not arrive. */
const soonMs = 20;
/** No log is as long. A run that is followed from here on sends no output. */
const beyond = 10 ** 15 - 1;
/** After so many bytes, the place frees those that are here, where its file system can. */
const trimBytes = 64 * 1024 * 1024;

/**
 * Copies the files of a run in a place to the run's directory here. The size of the log here is the offset from which
 * the place sends more, so that no byte is lost or doubled, whichever process is killed.
 */
export class Mirror implements Watch {
  readonly id: string;
  readonly #options: MirrorOptions;
  #unwatch: (() => void) | null = null;
  /** Output could not be stored. Nothing that comes later counts until it is sent again. */
  #again: NodeJS.Timeout | null = null;
  readonly #abandoned = new Set<RunLog>();
  #endedAgoS = 0;
  #untrimmed = 0;

  constructor(options: MirrorOptions) {
    this.#options = options;
    this.id = options.directory.id;
  }

  follow(): void {
    this.#unwatch = this.#options.session.watch(this);
  }

  close(): void {
    this.#unwatch?.();
    this.#unwatch = null;
    if (this.#again !== null) clearTimeout(this.#again);
  }

  /** Nothing needs the rest of this log. What the place has of it stays there. */
  abandon(log: RunLog): void {
    this.#abandoned.add(log);
    if (this.#unwatch !== null) this.follow();
  }

  /** Asks for the state once more, after a while. */
  again(ms: number): void {
    this.#askAgain(ms);
  }

  offsets(): number[] {
    return this.#options.logs.map((log) =>
      this.#abandoned.has(log) ? beyond : this.#sizeOf(log) - log.start,
    );
  }

  output(index: number, at: number, bytes: Buffer): void {
    const log = this.#options.logs[index];
    if (log === undefined || this.#again !== null || this.#unwatch === null) return;
    if (this.#abandoned.has(log)) return;
    try {
      const missing = this.#sizeOf(log) - log.start - at;
      // A connection that was replaced may still have sent something.
      if (missing < 0) this.#askAgain(soonMs);
      else if (missing < bytes.length) this.#append(log, bytes.subarray(missing));
      this.#trim(log, bytes.length);
    } catch {
      // The disk is full, or the descriptors are used up.
      this.#askAgain();
    }
  }

  state(fields: string[], agoS: number, sent: readonly number[]): void {
    if (this.#again !== null || this.#unwatch === null) return;
    try {
      const state = parsePlaceState(fields);
      if (state.kind === 'known' && this.#isBehind(sent)) {
        this.#askAgain(soonMs);
        return;
      }
      this.#endedAgoS = agoS;
      if (state.kind === 'known') this.#keep(state);
      this.#options.seen(state);
    } catch {
      this.#askAgain();
    }
  }

  reachable(failure: Failure | null): void {
    this.#options.reachable(failure);
  }

  /** Output before this state did not arrive. */
  #isBehind(sent: readonly number[]): boolean {
    return this.#options.logs.some(
      (log, index) => !this.#abandoned.has(log) && this.#sizeOf(log) - log.start < (sent[index] ?? 0),
    );
  }

  #trim(log: RunLog, bytes: number): void {
    this.#untrimmed += bytes;
    if (this.#untrimmed < trimBytes) return;
    this.#untrimmed = 0;
    const stored = this.#sizeOf(log) - log.start;
    this.#options.session.request(`up_trim ${this.id} ${log.file} ${stored}`).catch(() => {});
  }

  #sizeOf({ file }: RunLog): number {
    return fs.statSync(this.#options.directory.file(file)).size;
  }

  #append({ file }: RunLog, bytes: Buffer): void {
    const fd = openForAppend(this.#options.directory.file(file));
    try {
      for (let done = 0; done < bytes.length; ) done += fs.writeSync(fd, bytes, done);
    } finally {
      fs.closeSync(fd);
    }
  }

  /** The end is stored last: its output is here. */
  #keep(state: PlaceState & { kind: 'known' }): void {
    const { directory } = this.#options;
    const { inputAt, unlogged, hasSignal, exit } = state;
    directory.overwrite('input-at', `${String(inputAt).padEnd(15)} ${String(inputAt).padEnd(15)}\n`);
    if (unlogged.startsWith('yes')) directory.overwrite('unlogged', `${unlogged.padEnd(8)}\n`);
    if (exit === null) return;
    const recorded = directory.readExit();
    if (recorded.kind === 'known' && recorded.value !== null) return;
    if (hasSignal) directory.overwrite('shell-said', 'ended by a signal\n');
    directory.overwrite('exit', `${String(exit).padEnd(15)}\n`);
    // The clock there may be wrong, but its age of the file is not, unless that clock was set meanwhile.
    const madeS = fs.statSync(directory.path).birthtimeMs / 1000;
    const at = Math.max(madeS, Date.now() / 1000 - this.#endedAgoS);
    fs.utimesSync(directory.file('exit'), at, at);
  }

  #askAgain(ms = againMs): void {
    this.#again ??= setTimeout(() => {
      this.#again = null;
      if (this.#unwatch !== null) this.follow();
    }, ms).unref();
  }
}

import { randomBytes } from 'node:crypto';
import { Failure } from '../model/failure.js';
import { EarlyFrames } from './early-frames.js';
import { type Frame, FrameReader } from './frames.js';
import type { Place, PlaceStream } from './place.js';
import { brokenOff, cannotWork } from './refusals.js';
import { sessionScript } from './remote/session-script.js';
import { type Answer, Requests } from './requests.js';

/** A run in the place whose files are followed. */
export interface Watch {
  id: string;
  /** Bytes of each log that are here already. */
  offsets(): number[];
  output(log: number, at: number, bytes: Buffer): void;
  /** `sent`: bytes of each log that came before it. */
  state(fields: string[], agoS: number, sent: readonly number[]): void;
  /** The place cannot be asked now; null: it can be again. */
  reachable(failure: Failure | null): void;
}

interface Open {
  stream: PlaceStream;
  /** When the place was started, by the clock here. */
  bootedMs: number;
}

const retryMsMin = 200;
const retryMsMax = 30_000;
/** A place that was away for an hour is asked less often. */
const longAwayMs = 3_600_000;
const longRetryMs = 300_000;
const idleMsMax = 60_000;

/**
 * One connection to a place, for everything that is done there. A connection that breaks, or does not answer in time,
 * is replaced, and every followed run goes on from the bytes that are here.
 */
export class PlaceSession {
  readonly place: Place;
  readonly early = new EarlyFrames();
  readonly #watches = new Map<string, Watch>();
  readonly #requests = new Requests();
  #open: Open | null = null;
  #opening: Promise<Open> | null = null;
  /** Its shell has not begun yet. */
  #dialled: PlaceStream | null = null;
  #again: NodeJS.Timeout | null = null;
  #ping: NodeJS.Timeout | null = null;
  #retryMs = retryMsMin;
  #awaySinceMs: number | null = null;
  #usedMs = performance.now();
  #isClosed = false;

  constructor(place: Place) {
    this.place = place;
  }

  /** Nothing needs it any more. */
  get isIdle(): boolean {
    return this.#watches.size === 0 && this.#requests.isEmpty && this.#opening === null;
  }

  get isOpen(): boolean {
    return this.#open !== null;
  }

  /** The process of the client; null: not connected. */
  get clientPid(): number | null {
    return this.#open?.stream.client.pid ?? null;
  }

  /**
   * Connects, if there is no connection. Resolves with how long the place has been up, when a shell has begun there. What
   * it cannot do is said by the first request. Throws a Failure.
   */
  async ready(): Promise<number> {
    const { bootedMs } = await this.#connect();
    return performance.now() - bootedMs;
  }

  /** Runs a short script there. Throws a Failure when the place does not answer. A lost answer may have been done. */
  async request(script: string, timeoutMs = this.place.answerMs): Promise<Answer> {
    return this.#send(await this.#connect(), script, timeoutMs);
  }

  /** Follows a run until the returned function is called. */
  watch(watch: Watch): () => void {
    this.#watches.set(watch.id, watch);
    const early = this.early.take(watch.id);
    // A new connection follows every run by itself.
    if (this.#open === null) this.#connect().catch(() => {});
    else if (early === null) this.#follow(this.#open, watch);
    else {
      queueMicrotask(() => {
        for (const frame of early) this.#take(frame);
      });
    }
    return () => {
      if (this.#watches.get(watch.id) === watch) this.#watches.delete(watch.id);
    };
  }

  /** Its state is sent again, and its files are read more often for a while. */
  poke(id: string): void {
    if (this.#open !== null)
      void this.#send(this.#open, `up_wake ${id} USR1`, this.place.answerMs).catch(() => {});
  }

  close(): void {
    this.#isClosed = true;
    this.#watches.clear();
    this.#dialled?.close();
    this.#drop(new Failure('no-place', `the session with ${this.place.name} was closed`, 'try again'));
  }

  #connect(): Promise<Open> {
    this.#usedMs = performance.now();
    if (this.#open !== null) return Promise.resolve(this.#open);
    if (this.#again !== null) clearTimeout(this.#again);
    this.#again = null;
    this.#opening ??= this.#dial().then(
      (open) => {
        this.#opening = null;
        return open;
      },
      (error: Error) => {
        this.#opening = null;
        // Whatever asked for the connection, followed runs need it, and the reason.
        this.#lost(error);
        throw error;
      },
    );
    return this.#opening;
  }

  async #dial(): Promise<Open> {
    const mark = `m${randomBytes(8).toString('hex')}`;
    const stream = this.place.open(sessionScript(mark));
    this.#dialled = stream;
    const upS = await stream.reached;
    this.#dialled = null;
    if (this.#isClosed) {
      stream.close();
      throw brokenOff(this.place.name, 'it was closed');
    }
    const open = { stream, bootedMs: performance.now() - upS * 1000 };
    this.#open = open;
    this.#ping ??= setInterval(() => this.#test(), this.place.answerMs).unref();
    const end = (reason: Failure) => {
      if (this.#open === open) this.#drop(reason);
    };
    stream.begun.catch(end);
    stream.client.once('close', () => {
      const reason = stream.complaint.trim().split('\n').at(-1) ?? '';
      // Before the script has begun, the reason is better known.
      stream.begun.then(() => end(brokenOff(this.place.name, reason)), end);
    });
    const reader = new FrameReader(mark, (frame) => {
      if (frame.kind === 'refused') end(cannotWork(this.place.name, frame.reason));
      else if (this.#open === open) this.#take(frame);
    });
    const taken = (take: () => boolean) => {
      try {
        if (take()) stream.client.stdout.resume();
        else setImmediate(() => taken(() => this.#open !== open || reader.more()));
      } catch (error) {
        end(brokenOff(this.place.name, (error as Error).message));
      }
    };
    stream.onOutput((chunk) => {
      if (this.#open !== open) return;
      // Until these bytes are taken, no more come.
      stream.client.stdout.pause();
      taken(() => reader.push(chunk));
    });
    for (const watch of this.#watches.values()) this.#follow(open, watch);
    return open;
  }

  #follow(open: Open, watch: Watch): void {
    const words = ['up_watch', watch.id, ...watch.offsets()].join(' ');
    this.#send(open, words, this.place.answerMs).catch(() => {});
  }

  #send(open: Open, script: string, timeoutMs: number): Promise<Answer> {
    this.#usedMs = performance.now();
    return this.#requests.send(open.stream, script, timeoutMs, () => {
      const late = this.place.silent(timeoutMs);
      // A connection may stall without being closed.
      if (this.#open === open) this.#drop(late);
      return late;
    });
  }

  #take(frame: Frame): void {
    if (this.early.keep(frame)) return;
    if (frame.kind === 'hello') {
      for (const watch of this.#watches.values()) watch.reachable(null);
    } else if (frame.kind === 'answer') {
      this.#retryMs = retryMsMin;
      this.#awaySinceMs = null;
      this.#requests.answer(frame.id, frame);
    } else if (frame.kind === 'output') {
      this.#watches.get(frame.run)?.output(frame.log, frame.at, frame.bytes);
    } else if (frame.kind === 'state')
      this.#watches.get(frame.run)?.state(frame.fields, frame.agoS, frame.sent);
  }

  /** Ends the connection. It is opened again as long as a run is followed. */
  #drop(reason: Failure): void {
    const open = this.#open;
    this.#open = null;
    this.early.clear();
    open?.stream.close();
    if (this.#ping !== null) clearInterval(this.#ping);
    this.#ping = null;
    this.#requests.fail(reason);
    this.#lost(reason);
  }

  #lost(error: Error): void {
    const failure = error instanceof Failure ? error : brokenOff(this.place.name, error.message);
    for (const watch of this.#watches.values()) watch.reachable(failure);
    if (this.#isClosed || this.#watches.size === 0 || this.#again !== null || this.#opening !== null) return;
    if (this.#open !== null) return;
    this.#again = setTimeout(() => {
      this.#again = null;
      this.#connect().catch(() => {});
    }, this.#retryMs).unref();
    const nowMs = performance.now();
    this.#awaySinceMs ??= nowMs;
    this.#retryMs = Math.min(retryMsMax, this.#retryMs * 2);
    if (nowMs - this.#awaySinceMs > longAwayMs) this.#retryMs = longRetryMs;
  }

  #test(): void {
    const open = this.#open;
    if (open === null) return;
    const nowMs = performance.now();
    if (this.isIdle && nowMs - this.#usedMs > idleMsMax) {
      this.#drop(new Failure('no-place', `the session with ${this.place.name} was idle`, 'try again'));
      return;
    }
    // A silent connection may have stalled, and a process that follows a run may have been killed.
    this.#send(open, 'up_check', this.place.answerMs).then(
      ({ status }) => {
        if (status !== 0 && this.#open === open)
          this.#drop(brokenOff(this.place.name, 'a part of it was killed'));
      },
      () => {},
    );
  }
}

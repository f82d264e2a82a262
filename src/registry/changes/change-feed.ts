import { randomBytes } from 'node:crypto';
import { ChangeListeners } from '../change-listeners.js';
import { OutputPoll, type PolledRun } from './output-poll.js';

/** The part of a run that the feed needs. */
export interface FedRun extends PolledRun {
  readonly id: string;
  /** Another text means that a reader should see the run again. */
  readonly signature: string;
  readonly log: PolledRun['log'] & { readonly tail: { readonly bytes: number } };
  /** Reads a file: whether output was lost. It is part of the signature as it was last read. */
  readLoss(): void;
  onChange(changed: () => void): () => void;
}

/** Where a reader is in the feed. Cursors of an earlier feed, or of another daemon, are answered with everything. */
export interface Cursor {
  feed: string;
  version: number;
}

export interface Changes<Run> {
  cursor: Cursor;
  /** Everything there is; false: what has changed since the cursor. */
  whole: boolean;
  runs: Run[];
  removed: string[];
}

/** Runs that print are polled this often, while there is a reader. */
const pollMs = 800;
/** Changes that come together are given together. */
const gatherMs = 100;
/** A reader that does not come back within this time is gone. */
const absentMs = 5000;
/** With more removals than this, a reader that was away gets everything. */
const removedMax = 1000;

/** What was changed, in which order. It costs nothing while there is no reader. */
export class ChangeFeed<Run extends FedRun> {
  readonly #runs: () => Iterable<Run>;
  #feed: Feed<Run> | null = null;

  constructor(runs: () => Iterable<Run>) {
    this.#runs = runs;
  }

  /** A run was started or adopted. */
  added(run: Run): void {
    this.#feed?.add(run);
  }

  removed({ id }: Run): void {
    this.#feed?.remove(id);
  }

  /** Resolves at once when there are changes after the cursor, or as soon as there are, or after `timeoutMs`. */
  async read(since: Cursor | null, timeoutMs: number, signal: AbortSignal): Promise<Changes<Run>> {
    this.#feed ??= new Feed(this.#runs(), () => {
      this.#feed = null;
    });
    return this.#feed.read(since, timeoutMs, signal);
  }

  close(): void {
    this.#feed?.close();
  }
}

/** A run, and what readers were told last. */
interface Watched<Run> {
  run: Run;
  signature: string;
  /** Bytes of output. */
  bytes: number;
  version: number;
  unwatch(): void;
}

/** From the first reader to the last. */
class Feed<Run extends FedRun> {
  readonly #id = randomBytes(6).toString('hex');
  readonly #watched = new Map<string, Watched<Run>>();
  #removed: { id: string; version: number }[] = [];
  #forgotten = 0;
  #version = 1;
  readonly #news = new ChangeListeners();
  readonly #output = new OutputPoll<Run>({
    printed: ({ id }) => this.#changed(id),
    fellSilent: (run) => {
      run.readLoss();
      this.#changed(run.id);
    },
  });
  #gathering: NodeJS.Timeout | null = null;
  readonly #polling: NodeJS.Timeout;
  #absent: NodeJS.Timeout | null = null;
  #readers = 0;
  readonly #ended: () => void;

  constructor(runs: Iterable<Run>, ended: () => void) {
    this.#ended = ended;
    for (const run of runs) this.add(run);
    this.#polling = setInterval(() => this.#output.poll(), pollMs).unref();
  }

  add(run: Run): void {
    const unwatch = run.onChange(() => this.#changed(run.id));
    this.#watched.set(run.id, { run, signature: '', bytes: -1, version: 0, unwatch });
    this.#output.add(run);
    this.#changed(run.id);
  }

  remove(id: string): void {
    const watched = this.#watched.get(id);
    if (watched === undefined) return;
    watched.unwatch();
    this.#output.remove(watched.run);
    this.#watched.delete(id);
    this.#version += 1;
    this.#removed.push({ id, version: this.#version });
    const oldest = this.#removed.length > removedMax ? this.#removed.shift() : undefined;
    if (oldest !== undefined) this.#forgotten = oldest.version;
    this.#tellSoon();
  }

  async read(since: Cursor | null, timeoutMs: number, signal: AbortSignal): Promise<Changes<Run>> {
    if (this.#absent !== null) clearTimeout(this.#absent);
    this.#readers += 1;
    const from = since?.feed === this.#id && since.version >= this.#forgotten ? since.version : null;
    const isNews = () => from === null || this.#version > from || signal.aborted;
    const stopped = () => this.#news.notify();
    signal.addEventListener('abort', stopped);
    try {
      await this.#news.until(isNews, timeoutMs);
      signal.throwIfAborted();
      return this.#since(from);
    } finally {
      signal.removeEventListener('abort', stopped);
      this.#readers -= 1;
      if (this.#readers === 0) this.#absent = setTimeout(() => this.close(), absentMs).unref();
    }
  }

  close(): void {
    clearInterval(this.#polling);
    for (const timer of [this.#absent, this.#gathering]) if (timer !== null) clearTimeout(timer);
    for (const { unwatch } of this.#watched.values()) unwatch();
    this.#watched.clear();
    this.#output.close();
    this.#ended();
  }

  #since(from: number | null): Changes<Run> {
    const isNew = ({ version }: { version: number }) => from === null || version > from;
    return {
      cursor: { feed: this.#id, version: this.#version },
      whole: from === null,
      runs: [...this.#watched.values()].filter(isNew).map(({ run }) => run),
      removed: from === null ? [] : this.#removed.filter(isNew).map(({ id }) => id),
    };
  }

  #changed(id: string): void {
    const watched = this.#watched.get(id);
    if (watched === undefined) return;
    const { run } = watched;
    const { signature } = run;
    if (signature === watched.signature) return;
    // A log that grows has lost nothing, so runs that print are not looked at.
    const { bytes } = run.log.tail;
    if (bytes === watched.bytes) run.readLoss();
    watched.bytes = bytes;
    watched.signature = run.signature;
    this.#version += 1;
    watched.version = this.#version;
    this.#tellSoon();
  }

  #tellSoon(): void {
    this.#gathering ??= setTimeout(() => {
      this.#gathering = null;
      this.#news.notify();
    }, gatherMs).unref();
  }
}

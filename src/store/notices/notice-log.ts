import path from 'node:path';
import { Failure } from '../../model/failure.js';
import type { Notice, NoticeDraft } from '../../model/notice.js';
import { headOf, tailOf } from '../../text/head-and-tail.js';
import { LineFile } from './line-file.js';
import { lineBytesMax, type NoticeFilter, parseNoticeLine, passes, printNoticeLine } from './notice-line.js';

/** Documented in docs/background.md. */
export interface NoticeLimits {
  noticesMax: number;
  /** Applies only to notices that every consumer has acknowledged: the wall clock may jump by years. */
  ageMsMax: number;
  bytesMax: number;
}

const defaultLimits: NoticeLimits = {
  noticesMax: 10_000,
  ageMsMax: 7 * 24 * 60 * 60_000,
  bytesMax: 16 * 1024 * 1024,
};

/** A file with less slack is not rewritten. */
const slackBytes = 64 * 1024;
const charactersMax = 4000;

export interface NoticeLogOptions {
  /** Numbers up to this were given before (Consumers.highest): the file may have been removed. */
  after?: number;
  nowMs?: number;
  /** Every consumer has acknowledged up to this number; default: none. */
  acked?: () => number;
  limits?: Partial<NoticeLimits>;
}

interface Kept {
  notice: Notice;
  atMs: number;
  bytes: number;
}

/**
 * notices.jsonl in the state home: all notices, numbered. The only writer is the daemon that holds the lock. What
 * append() has returned is in the file and survives SIGKILL. No number and no key is given twice.
 */
export class NoticeLog {
  readonly #file: LineFile;
  readonly #limits: NoticeLimits;
  readonly #acked: () => number;
  #kept: Kept[] = [];
  readonly #keys = new Set<string>();
  #keptBytes = 0;
  #next = 1;
  /** Invalid lines found when it was opened. */
  #skipped = 0;

  private constructor(file: string, limits: NoticeLimits, acked: () => number) {
    this.#limits = limits;
    this.#acked = acked;
    this.#file = new LineFile(file, () =>
      [{ next: this.#next }, ...this.#kept.map(({ notice }) => notice)].map(printNoticeLine),
    );
  }

  /** Throws when the file cannot be used. */
  static open(home: string, options: NoticeLogOptions = {}): NoticeLog {
    const { after = 0, nowMs = Date.now(), acked = () => 0, limits } = options;
    const log = new NoticeLog(path.join(home, 'notices.jsonl'), { ...defaultLimits, ...limits }, acked);
    try {
      log.#read();
    } catch (error) {
      log.close();
      throw error;
    }
    log.#next = Math.max(log.#next, after + 1);
    const gone = log.#trim(nowMs);
    if (gone || log.#skipped > 0) log.#file.shrink();
    return log;
  }

  /** The last number given; 0: none yet. */
  get last(): number {
    return this.#next - 1;
  }

  get skipped(): number {
    return this.#skipped;
  }

  /** Whether this notice was recorded before. */
  has(runId: string | null, key: string): boolean {
    return this.#keys.has(keyOf({ runId, key }));
  }

  /** null: recorded before. Throws when it could not be written: then it is not recorded and can be tried again. */
  append(draft: NoticeDraft, atMs: number): Notice | null {
    if (this.#keys.has(keyOf(draft))) return null;
    const notice: Notice = {
      seq: this.#next,
      at: new Date(atMs).toISOString(),
      ...draft,
      text: headOf(draft.text, charactersMax),
      output: tailOf(draft.output, charactersMax),
    };
    const line = printNoticeLine(notice);
    if (line.length > lineBytesMax) {
      throw new Failure(
        'too-large',
        `a notice of ${line.length} bytes is too large`,
        'use fewer and shorter tags',
      );
    }
    try {
      this.#file.append(line);
    } catch (cause) {
      const reason = (cause as Error).message;
      throw new Failure(
        'cannot-write',
        `cannot save a notice: ${reason}`,
        'free some disk space, then try again',
        { cause },
      );
    }
    this.#next += 1;
    this.#keep({ notice, atMs, bytes: line.length });
    this.#trim(atMs);
    if (this.#file.bytes > 2 * this.#keptBytes + slackBytes) this.#file.shrink();
    return notice;
  }

  /** Notices after a number, oldest first, and how many more there are. */
  since(seq: number, limit: number, filter: NoticeFilter = {}): { notices: Notice[]; more: number } {
    const found = this.#kept.slice(this.#placeAfter(seq)).filter(({ notice }) => passes(notice, filter));
    return {
      notices: found.slice(0, limit).map(({ notice }) => notice),
      more: Math.max(0, found.length - limit),
    };
  }

  close(): void {
    this.#file.close();
  }

  #read(): void {
    const bySeq = new Map<number, Kept>();
    this.#file.read((line) => {
      const found = line === null ? null : parseNoticeLine(line);
      if (found === null) this.#skipped += 1;
      else if ('next' in found) this.#next = Math.max(this.#next, found.next);
      else {
        this.#next = Math.max(this.#next, found.seq + 1);
        if (bySeq.has(found.seq)) this.#skipped += 1;
        else {
          const bytes = Buffer.byteLength(line as string) + 1;
          bySeq.set(found.seq, { notice: found, atMs: Date.parse(found.at), bytes });
          // Memory stays bounded whatever is in the file.
          if (bySeq.size > 2 * this.#limits.noticesMax) forgetOldest(bySeq, this.#limits.noticesMax);
        }
      }
    });
    for (const kept of [...bySeq.values()].sort((a, b) => a.notice.seq - b.notice.seq)) {
      if (this.#keys.has(keyOf(kept.notice))) this.#skipped += 1;
      else this.#keep(kept);
    }
  }

  #keep(kept: Kept): void {
    this.#kept.push(kept);
    this.#keys.add(keyOf(kept.notice));
    this.#keptBytes += kept.bytes;
  }

  /** Drops what is too old or too much; returns whether anything was dropped. */
  #trim(nowMs: number): boolean {
    const { noticesMax, ageMsMax, bytesMax } = this.#limits;
    const acked = this.#acked();
    let gone = 0;
    for (const { notice, atMs, bytes } of this.#kept) {
      const isTooMuch = this.#kept.length - gone > noticesMax || this.#keptBytes > bytesMax;
      const isStale = notice.seq <= acked && nowMs - atMs > ageMsMax;
      if (!isTooMuch && !isStale) break;
      this.#keys.delete(keyOf(notice));
      this.#keptBytes -= bytes;
      gone += 1;
    }
    if (gone > 0) this.#kept = this.#kept.slice(gone);
    return gone > 0;
  }

  /** Index of the first notice after a number, by binary search. */
  #placeAfter(seq: number): number {
    let low = 0;
    for (let high = this.#kept.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((this.#kept[middle] as Kept).notice.seq <= seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function keyOf({ runId, key }: Pick<NoticeDraft, 'runId' | 'key'>): string {
  return `${runId ?? ''} ${key}`;
}

function forgetOldest(bySeq: Map<number, Kept>, keep: number): void {
  const seqs = [...bySeq.keys()].sort((a, b) => b - a);
  for (const seq of seqs.slice(keep)) bySeq.delete(seq);
}

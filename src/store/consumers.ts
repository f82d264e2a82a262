import path from 'node:path';
import { Failure } from '../model/failure.js';
import { knownValue } from '../model/reading.js';
import { readJson } from './read-json.js';
import { writeWhole } from './write-whole.js';

/** Beyond this, whoever was seen longest ago is forgotten, and is given everything again. */
const consumersMax = 256;
/** Being there without anything new is not worth a write more often than this. */
const seenWriteMs = 24 * 60 * 60_000;
const fileBytesMax = 1024 * 1024;
const fileName = 'consumers.json';

/** Where a consumer of notices is. One that nobody has seen before is at 0: it is given everything that is kept. */
export interface Consumer {
  /** It said that it has these: they are not given again. */
  acked: number;
  /** The highest it was given; a notice up to this one is a repeat. */
  given: number;
  seenMs: number;
}

/**
 * consumers.json in the state home: who has acknowledged what (E6). One writer: the daemon under its lock. Notices are
 * given at least once: to lose this file is to be told again, never to miss anything.
 */
export class Consumers {
  readonly #file: string;
  readonly #now: () => number;
  readonly #byName = new Map<string, Consumer>();

  private constructor(file: string, now: () => number) {
    this.#file = file;
    this.#now = now;
  }

  /** Throws a Failure when what is there cannot be read now: it would be overwritten. */
  static open(home: string, now: () => number = Date.now): Consumers {
    const consumers = new Consumers(path.join(home, fileName), now);
    consumers.#read();
    return consumers;
  }

  /** The highest number that anybody here has heard of. */
  get highest(): number {
    let highest = 0;
    for (const { acked, given } of this.#byName.values()) highest = Math.max(highest, acked, given);
    return highest;
  }

  /** Every known consumer has acknowledged these; 0: one has none, or there is no consumer yet. */
  get ackedByAll(): number {
    let acked = this.#byName.size === 0 ? 0 : Number.POSITIVE_INFINITY;
    for (const consumer of this.#byName.values()) acked = Math.min(acked, consumer.acked);
    return acked;
  }

  of(name: string): Readonly<Consumer> {
    const consumer = this.#byName.get(name);
    if (consumer === undefined) return { acked: 0, given: 0, seenMs: this.#now() };
    if (this.#now() - consumer.seenMs > seenWriteMs) this.given(name, 0);
    return consumer;
  }

  /** It has everything up to this one, and up to the last there is at most. On disk when this returns, or a Failure. */
  ack(name: string, seq: number, last: number): void {
    const acked = Math.min(seq, last);
    if (acked <= this.of(name).acked) return;
    const before = this.#byName.get(name);
    this.#set(name, { acked });
    try {
      this.#write();
    } catch (cause) {
      if (before === undefined) this.#byName.delete(name);
      else this.#byName.set(name, before);
      const reason = (cause as Error).message;
      throw new Failure(
        'cannot-write',
        `the acknowledgement could not be kept: ${reason}`,
        'make room on the disk',
        { cause },
      );
    }
  }

  /** It is about to be given everything up to this one. */
  given(name: string, seq: number): void {
    const { given, seenMs } = this.#byName.get(name) ?? { given: 0, seenMs: 0 };
    if (seq <= given && this.#now() - seenMs <= seenWriteMs) return;
    this.#set(name, { given: Math.max(seq, given) });
    try {
      this.#write();
    } catch {
      // A full disk: a repeat will not be told from the first, which is better than not to be told at all.
    }
  }

  #set(name: string, change: Partial<Consumer>): void {
    const before = this.#byName.get(name) ?? { acked: 0, given: 0 };
    // The last one to be seen is the last in the list.
    this.#byName.delete(name);
    this.#byName.set(name, { ...before, ...change, seenMs: this.#now() });
    this.#forgetSome();
  }

  /** Not for its age: a clock that jumps would take from it what it has not acknowledged. */
  #forgetSome(): void {
    for (const name of this.#byName.keys()) {
      if (this.#byName.size <= consumersMax) return;
      this.#byName.delete(name);
    }
  }

  #write(): void {
    writeWhole(this.#file, Object.fromEntries(this.#byName));
  }

  #read(): void {
    // No consumer has asked yet, or the file is not ours: every consumer is given everything.
    const content = knownValue(readJson(this.#file, fileBytesMax), fileName) ?? {};
    const found = Object.entries(content).flatMap(([name, value]) => {
      const consumer = parseConsumer(value, this.#now());
      return consumer === null ? [] : [[name, consumer] as const];
    });
    for (const [name, consumer] of found.sort(([, a], [, b]) => a.seenMs - b.seenMs)) {
      this.#byName.set(name, consumer);
    }
    this.#forgetSome();
  }
}

function parseConsumer(value: unknown, nowMs: number): Consumer | null {
  if (typeof value !== 'object' || value === null) return null;
  const { acked, given, seenMs } = value as Partial<Record<keyof Consumer, unknown>>;
  if (!isNumber(acked) || !isNumber(given) || typeof seenMs !== 'number') return null;
  // A clock that went back must not keep somebody for ever.
  return { acked, given, seenMs: Math.min(seenMs, nowMs) };
}

function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= 1e12;
}

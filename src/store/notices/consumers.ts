import path from 'node:path';
import { knownValue } from '../../model/facts/reading.js';
import { Failure } from '../../model/failure.js';
import { readJson, writeWhole } from '../files.js';

/** Beyond this, the consumer seen longest ago is forgotten; it then gets all notices again. */
const consumersMax = 256;
/** A visit without new notices is written at most this often. */
const seenWriteMs = 24 * 60 * 60_000;
const fileBytesMax = 1024 * 1024;
const fileName = 'consumers.json';

/** How far a consumer of notices has read. An unknown consumer is at 0 and gets every notice that is kept. */
export interface Consumer {
  /** Acknowledged up to this number: these are not given again. */
  acked: number;
  /** The highest number given; a notice up to it is a repeat. */
  given: number;
  seenMs: number;
}

/**
 * consumers.json in the state home: which consumer has acknowledged what. The only writer is the daemon that holds the
 * lock. Notices are delivered at least once: losing this file repeats notices and never loses one.
 */
export class Consumers {
  readonly #file: string;
  readonly #now: () => number;
  readonly #byName = new Map<string, Consumer>();

  private constructor(file: string, now: () => number) {
    this.#file = file;
    this.#now = now;
  }

  /** Throws a Failure when the file cannot be read now: otherwise it would be overwritten. */
  static open(home: string, now: () => number = Date.now): Consumers {
    const consumers = new Consumers(path.join(home, fileName), now);
    consumers.#read();
    return consumers;
  }

  /** The highest number that any consumer knows. */
  get highest(): number {
    let highest = 0;
    for (const { acked, given } of this.#byName.values()) highest = Math.max(highest, acked, given);
    return highest;
  }

  /**
   * Every known consumer has acknowledged up to this number; 0: some consumer has acknowledged none, or there is none.
   */
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

  /** Acknowledges up to `seq`, at most up to `last`. It is on disk when this returns; otherwise throws a Failure. */
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
        `cannot save the acknowledgement: ${reason}`,
        'free some disk space, then try again',
        { cause },
      );
    }
  }

  /** Called before the consumer is given everything up to `seq`. */
  given(name: string, seq: number): void {
    const { given, seenMs } = this.#byName.get(name) ?? { given: 0, seenMs: 0 };
    if (seq <= given && this.#now() - seenMs <= seenWriteMs) return;
    this.#set(name, { given: Math.max(seq, given) });
    try {
      this.#write();
    } catch {
      // A full disk: a repeat will look like a first delivery, which is better than no delivery.
    }
  }

  #set(name: string, change: Partial<Consumer>): void {
    const before = this.#byName.get(name) ?? { acked: 0, given: 0 };
    // The map is ordered by last visit, latest at the end.
    this.#byName.delete(name);
    this.#byName.set(name, { ...before, ...change, seenMs: this.#now() });
    this.#forgetSome();
  }

  /** Not by age: a clock that jumps would drop notices that are not acknowledged. */
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
    // Without a valid file every consumer gets everything again.
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
  // A clock that went back must not keep a consumer for ever.
  return { acked, given, seenMs: Math.min(seenMs, nowMs) };
}

function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= 1e12;
}

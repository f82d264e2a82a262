import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { isMissing } from '../../model/facts/reading.js';
import { Failure } from '../../model/failure.js';
import type { InputKind } from '../../model/run/background.js';
import type { RunDirectory } from '../../store/run-directory.js';
import type { TerminalSize } from '../launch/pseudo-terminal.js';
import { type Heard, notifyPump, type Pump } from './bell.js';
import { cannotWrite, checkRequestId, inputClosed, tooLarge } from './input-failures.js';
import { appendAt, inputFile, positionFile, prepareInput, punchOut, readPosition } from './input-file.js';
import { endOf, InputLedger, ledgerFile } from './ledger.js';

/** Bytes that may wait until the command reads them. */
export const pendingBytesMax = 64 * 1024 * 1024;

const pollMsMin = 1;
const pollMsMax = 50;
const attendMsMax = 1_000;

/** The byte that Ctrl-D sends. */
const endOfFileKey = Buffer.from([4]);

/**
 * Writes to the input of a background command. The bytes are stored in a file, and the shim's pump copies them on. They
 * reach the command once and in order, even if the daemon ends meanwhile. A run has at most one writer at a time.
 */
export class RunInput {
  readonly #directory: RunDirectory;
  readonly #kind: InputKind;
  readonly #ledger: InputLedger;
  readonly #pump: Pump;
  #punchedUpTo = 0;
  #size: TerminalSize | null = null;
  /** The pump has not received the last message yet. */
  #isOwed = false;
  #timer: NodeJS.Timeout | null = null;

  /** Makes the files that the shim and the pump need. Existing files stay as they are. */
  static prepare(directory: RunDirectory): void {
    prepareInput(directory);
  }

  /** `pump`: default: the one of a shim on this machine. */
  constructor(directory: RunDirectory, kind: Exclude<InputKind, 'none'>, pump?: Pump) {
    this.#directory = directory;
    this.#pump = pump ?? { notify: (...lines) => notifyPump(directory, ...lines) };
    this.#kind = kind;
    this.#ledger = new InputLedger(directory.file(ledgerFile));
  }

  /** Bytes that the pump has passed to the command. */
  get delivered(): number {
    return readPosition(this.#directory.file(positionFile));
  }

  /** Bytes that are stored for the command and not delivered yet. */
  get pending(): number {
    return Math.max(0, this.#end - this.delivered);
  }

  get isClosed(): boolean {
    return this.#ledger.closedBy !== null;
  }

  /** Everything has reached the command, also the end of its input if requested. false: not yet, or it cannot be read. */
  get isDelivered(): boolean {
    try {
      return this.#pump.notify() === 'gone' || (!this.isClosed && this.pending === 0);
    } catch {
      return false;
    }
  }

  /** Whether this request was made before, also under an earlier daemon. */
  knows(requestId: string): boolean {
    return this.#ledger.find(requestId) !== null || this.#ledger.closedBy === requestId;
  }

  /**
   * Takes bytes for the command; `end`: their end offset, for `awaitDelivered`. A repeated request writes nothing new.
   */
  write(bytes: Buffer, requestId: string): { end: number } {
    checkRequestId(requestId);
    const known = this.#ledger.find(requestId);
    if (known === null) {
      this.#checkOpen();
      if (this.pending + bytes.length > pendingBytesMax) throw tooLarge(this.#directory.id, this.pending);
    } else if (known.length !== bytes.length) {
      throw new Failure(
        'bad-input',
        `request ${requestId} was made before, with other bytes`,
        'use a new id for a new request',
      );
    }
    const entry = known ?? { requestId, offset: this.#end, length: bytes.length };
    try {
      if (known === null) {
        this.#dropUnfinished();
        this.#ledger.add(entry);
      }
      appendAt(this.#directory.file(inputFile), entry.offset, bytes);
    } catch (error) {
      throw cannotWrite(error);
    }
    if (this.#announce() === 'gone' && this.delivered < endOf(entry)) throw inputClosed(this.#directory.id);
    return { end: endOf(entry) };
  }

  /** End of file after all earlier writes. On a terminal this is a key, and more may be written after it. */
  close(requestId: string): { closed: boolean } {
    checkRequestId(requestId);
    if (this.#kind === 'pty') {
      this.write(endOfFileKey, requestId);
      return { closed: true };
    }
    if (this.#ledger.closedBy !== null) return { closed: this.#ledger.closedBy === requestId };
    if (this.#pump.notify() === 'gone') return { closed: false };
    try {
      this.#dropUnfinished();
      this.#ledger.close(requestId, this.#end);
    } catch (error) {
      throw cannotWrite(error);
    }
    this.#announce();
    return { closed: true };
  }

  resize(size: TerminalSize): void {
    if (this.#kind !== 'pty') {
      throw new Failure('bad-input', 'this run has no terminal', 'start it with --pty');
    }
    this.#size = size;
    if (this.#announce() === 'gone') throw inputClosed(this.#directory.id);
  }

  /** Sends everything recorded to the pump again, as after the end of an earlier daemon. */
  ring(): void {
    try {
      this.#announce();
    } catch (error) {
      if (isMissing(error)) throw error;
      this.#isOwed = true;
      if (this.#timer === null) this.#attend(attendMsMax);
    }
  }

  /** Whether all bytes before `end` have been delivered to the command, at the latest after `timeoutMs`. */
  async awaitDelivered(
    end: number,
    { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
  ): Promise<boolean> {
    const endMs = performance.now() + timeoutMs;
    for (let pauseMs = pollMsMin; ; pauseMs = Math.min(2 * pauseMs, pollMsMax)) {
      const isGone = this.#pump.notify() === 'gone';
      if (this.delivered >= end) {
        this.#punch();
        return true;
      }
      const leftMs = endMs - performance.now();
      if (isGone || leftMs <= 0 || signal.aborted) return false;
      // An abort ends the pause early. The loop checks for it above.
      await delay(Math.min(pauseMs, leftMs), undefined, { signal }).catch(() => {});
    }
  }

  /** Ends the pump of a run whose shim was killed, because nothing else ends it. */
  dismiss(): void {
    this.forget();
    try {
      this.#pump.notify('stop');
    } catch {
      this.#timer = setTimeout(() => this.dismiss(), attendMsMax).unref();
    }
  }

  /** Stops all work for this run here. Bytes that were written are still delivered. */
  forget(): void {
    this.#pump.close?.();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** Where the last complete request ends. */
  get #end(): number {
    const { last } = this.#ledger;
    return last === null ? 0 : this.#isUnfinished ? last.offset : endOf(last);
  }

  get #isUnfinished(): boolean {
    return fs.statSync(this.#directory.file(inputFile)).size < endOf(this.#ledger.last);
  }

  #checkOpen(): void {
    if (this.isClosed || this.#pump.notify() === 'gone') throw inputClosed(this.#directory.id);
  }

  /** Drops a request that was recorded, half done and never repeated. The pump does not know of its bytes. */
  #dropUnfinished(): void {
    const { last } = this.#ledger;
    if (last === null || !this.#isUnfinished) return;
    fs.truncateSync(this.#directory.file(inputFile), last.offset);
    this.#ledger.drop(last);
  }

  /** Sends the pump how far to copy, and repeats this until the pump has received it. */
  #announce(): Heard {
    const heard = this.#notify();
    if (this.#timer === null) this.#attend(pollMsMin);
    return heard;
  }

  #notify(): Heard {
    const size = this.#size === null ? [] : [`size ${this.#size.rows} ${this.#size.columns}`];
    const heard = this.#pump.notify(...size, `${this.isClosed ? 'end' : 'upto'} ${this.#end}`);
    this.#isOwed = heard === 'not-yet';
    if (!this.#isOwed) this.#size = null;
    return heard;
  }

  /** While bytes or messages are pending: resends what the pump has not received, and erases what was delivered. */
  #attend(pauseMs: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = null;
      try {
        const heard = this.#isOwed ? this.#notify() : this.#pump.notify();
        this.#punch();
        const isWaiting = heard !== 'gone' && (this.#isOwed || this.pending > 0);
        if (isWaiting) this.#attend(Math.min(2 * pauseMs, attendMsMax));
      } catch (error) {
        // The directory may be gone, and the reader with it. Any other error is temporary.
        if (!isMissing(error)) this.#attend(attendMsMax);
      }
    }, pauseMs);
    this.#timer.unref();
  }

  /** Erases delivered bytes, because they may contain a secret. */
  #punch(): void {
    const { delivered } = this;
    punchOut(this.#directory.file(inputFile), this.#punchedUpTo, delivered);
    this.#punchedUpTo = delivered;
  }
}

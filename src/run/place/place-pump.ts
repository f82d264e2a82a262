import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../../model/failure.js';
import { saidThere } from '../../places/refusals.js';
import type { PlaceSession } from '../../places/session.js';
import { readOwnFile } from '../../store/files.js';
import type { RunDirectory } from '../../store/run-directory.js';
import type { Heard, Pump } from '../input/bell.js';
import { positionFile, readPosition } from '../input/input-file.js';

/** Bytes per request. */
const pieceBytes = 32 * 1024;
/** Larger writes begin at a multiple of this, so that `dd` need not write single bytes. */
const blockBytes = 4096;
const retryMsMax = 5000;
/** A report about the input may get lost. It is asked for again when none has come for so long, later less often. */
const stillMsMin = 3000;
const stillMsMax = 60_000;

export interface PlacePumpOptions {
  session: PlaceSession;
  directory: RunDirectory;
  /** The command has ended, so nothing reads its input any more. */
  hasEnded(): boolean;
}

/**
 * Carries the input of a run to its place. The bytes are written at their offset there, so that a request may be done
 * twice. How far the command has come is in the local copy of `input-at`.
 */
export class PlacePump implements Pump {
  readonly #options: PlacePumpOptions;
  /** Bytes that are in the place; null: not asked yet. */
  #sent: number | null = null;
  #goal = 0;
  #isEnd = false;
  #size: string | null = null;
  #owed = false;
  #working: Promise<void> | null = null;
  #isClosed = false;
  /** How far the command had come, since when, and how long that is taken for the truth. */
  #still = { at: 0, sinceMs: 0, forMs: stillMsMin };

  constructor(options: PlacePumpOptions) {
    this.#options = options;
  }

  notify(...lines: string[]): Heard {
    if (this.#options.hasEnded()) return 'gone';
    for (const line of lines) this.#take(line);
    if (lines.length > 0) {
      this.#working ??= this.#work().finally(() => {
        this.#working = null;
      });
    } else if (!this.#owed) this.#checkStill();
    return 'heard';
  }

  close(): void {
    this.#isClosed = true;
  }

  #checkStill(): void {
    const { directory, session } = this.#options;
    const at = readPosition(directory.file(positionFile));
    const nowMs = performance.now();
    const { sinceMs, forMs } = this.#still;
    if (at !== this.#still.at || at >= this.#goal || sinceMs === 0) {
      this.#still = { at, sinceMs: nowMs, forMs: stillMsMin };
    } else if (nowMs - sinceMs >= forMs) {
      this.#still = { at, sinceMs: nowMs, forMs: Math.min(stillMsMax, 2 * forMs) };
      session.poke(directory.id);
    }
  }

  #take(line: string): void {
    const [word, first = '', second = ''] = line.split(' ');
    if (word === 'size') this.#size = `${Number(first)} ${Number(second)}`;
    if (word !== 'upto' && word !== 'end') return;
    this.#goal = Math.max(this.#goal, Number(first));
    this.#isEnd ||= word === 'end';
    this.#owed = true;
  }

  /** Repeats what the place has not confirmed, until it has. */
  async #work(): Promise<void> {
    for (let waitMs = 100; this.#owed || this.#size !== null; ) {
      if (this.#isClosed || this.#options.hasEnded()) return;
      try {
        await this.#pass();
        waitMs = 100;
      } catch {
        await delay(waitMs, undefined, { ref: false });
        waitMs = Math.min(retryMsMax, waitMs * 2);
      }
    }
  }

  async #pass(): Promise<void> {
    const { directory, session } = this.#options;
    const { id } = directory;
    const size = this.#size;
    if (size !== null) {
      await this.#ask(`up_resize ${id} ${size}`);
      if (this.#size === size) this.#size = null;
    }
    let from: number = this.#sent ?? (Number(await this.#ask(`up_fed ${id}`)) || 0);
    while (from < this.#goal) {
      const bytes = readOwnFile(directory.file('input'), from, pieceEnd(from, this.#goal));
      if (bytes.length === 0) break;
      await this.#ask(feedScript(id, from, bytes));
      from += bytes.length;
      this.#sent = from;
    }
    const goal = this.#goal;
    const isEnd = this.#isEnd;
    await this.#ask(`up_ring ${id} ${isEnd ? 'end' : 'upto'} ${goal}`);
    session.poke(id);
    if (goal === this.#goal && isEnd === this.#isEnd) this.#owed = false;
  }

  async #ask(script: string): Promise<string> {
    const { status, text } = await this.#options.session.request(script);
    if (status !== 0)
      throw new Failure('no-place', `the input could not be stored: ${saidThere(text)}`, 'try again');
    return text.trim();
  }
}

/** A piece that is longer than a block begins and ends at a block. */
function pieceEnd(from: number, goal: number): number {
  const rest = from % blockBytes;
  if (rest !== 0) return Math.min(goal, from + blockBytes - rest);
  return Math.min(goal, from + pieceBytes);
}

/**
 * Written with the `printf` of a shell, which knows octal numbers in any version. A text that begins with - would be taken
 * for an option.
 */
export function feedScript(id: string, at: number, bytes: Buffer): string {
  const block = at % blockBytes === 0 && bytes.length > blockBytes ? blockBytes : 1;
  return `up_feed ${id} ${at} ${bytes.length} ${block} '${printfText(bytes)}'`;
}

function printfText(bytes: Buffer): string {
  let text = '';
  for (const byte of bytes) {
    const char = String.fromCharCode(byte);
    text += /[\w ,.:;/=+@]/.test(char) && byte < 0x80 ? char : `\\${byte.toString(8).padStart(3, '0')}`;
  }
  return text;
}

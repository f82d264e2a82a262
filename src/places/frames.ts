/** What the session in a place sends. */
export type Frame =
  /** The session can work there. */
  | { kind: 'hello' }
  /** The session cannot work there. */
  | { kind: 'refused'; reason: string }
  | { kind: 'answer'; id: number; status: number; text: string }
  /** Bytes of a log; one frame of the session may come in several pieces. */
  | { kind: 'output'; run: string; log: number; at: number; bytes: Buffer }
  /** `sent`: bytes of each log that the same process had sent before. */
  | { kind: 'state'; run: string; agoS: number; sent: number[]; fields: string[] };

const lineMax = 64 * 1024;
/** Other work waits for no more than these. */
const framesPerTurn = 64;
const answerMax = 16 * 1024 * 1024;
const newline = 0x0a;

type Pending =
  | { kind: 'output'; run: string; log: number; at: number; left: number }
  | { kind: 'answer'; id: number; status: number };

/** Takes the bytes of a session apart. Throws an Error for bytes that no session sends. */
export class FrameReader {
  readonly #mark: string;
  readonly #take: (frame: Frame) => void;
  #held: Buffer = Buffer.alloc(0);
  #pending: Pending | null = null;
  #hasHello = false;

  /** `mark`: begins the last line of each answer. */
  constructor(mark: string, take: (frame: Frame) => void) {
    this.#mark = mark;
    this.#take = take;
  }

  /** false: there may be more frames in these bytes, for `more`. */
  push(chunk: Buffer): boolean {
    this.#held = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    return this.more();
  }

  /** Takes the next frames, as many as one turn may have. false: there may be more. */
  more(): boolean {
    for (let taken = 0; taken < framesPerTurn; taken += 1) {
      if (this.#held.length === 0 || !this.#next()) return true;
    }
    return false;
  }

  /** false: more bytes are needed. */
  #next(): boolean {
    if (this.#pending?.kind === 'output') return this.#takeOutput(this.#pending);
    if (this.#pending?.kind === 'answer') return this.#takeAnswer(this.#pending);
    const end = this.#held.indexOf(newline);
    if (end === -1) {
      if (this.#held.length > lineMax) throw new Error('a line is too long');
      return false;
    }
    const line = this.#held.toString('utf8', 0, end);
    this.#held = this.#held.subarray(end + 1);
    this.#takeLine(line);
    return true;
  }

  #takeLine(line: string): void {
    const [word, ...rest] = line.split(' ');
    const [first = '', second = '', third = '', fourth = ''] = rest;
    if (word === 'o') {
      this.#pending = {
        kind: 'output',
        run: first,
        log: count(second),
        at: count(third),
        left: count(fourth),
      };
    } else if (word === 'r') this.#pending = { kind: 'answer', id: count(first), status: count(second) };
    else if (word === 's') {
      const sent = [count(third), count(fourth)];
      this.#take({ kind: 'state', run: first, agoS: count(second), sent, fields: rest.slice(4) });
    } else if (word === 'f') this.#take({ kind: 'refused', reason: rest.join(' ') });
    else if (word === 'h') this.#takeHello();
    else throw new Error('a line begins with no known letter');
  }

  #takeHello(): void {
    if (this.#hasHello) throw new Error('a session begins twice');
    this.#hasHello = true;
    this.#take({ kind: 'hello' });
  }

  #takeOutput(pending: Pending & { kind: 'output' }): boolean {
    const { run, log, at, left } = pending;
    const bytes = this.#held.subarray(0, left);
    this.#held = this.#held.subarray(bytes.length);
    pending.left -= bytes.length;
    pending.at += bytes.length;
    if (pending.left === 0) this.#pending = null;
    if (bytes.length > 0) this.#take({ kind: 'output', run, log, at, bytes });
    return true;
  }

  #takeAnswer({ id, status }: Pending & { kind: 'answer' }): boolean {
    const last = `\n${this.#mark}.${id}\n`;
    // The text may be empty, but its line end is always there.
    const end = this.#held.indexOf(last);
    if (end === -1) {
      if (this.#held.length > answerMax) throw new Error('an answer is too long');
      return false;
    }
    const text = this.#held.toString('utf8', 0, end);
    this.#held = this.#held.subarray(end + last.length);
    this.#pending = null;
    this.#take({ kind: 'answer', id, status, text });
    return true;
  }
}

function count(text: string): number {
  // A clock that was set back gives a negative age.
  if (!/^-?\d{1,15}$/.test(text)) throw new Error(`${JSON.stringify(text.slice(0, 40))} is not a number`);
  return Math.max(0, Number(text));
}

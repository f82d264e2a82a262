import fs from 'node:fs';
import { openOwnFile } from '../../store/files.js';

const { O_WRONLY, O_APPEND } = fs.constants;

/** Where the bytes of one request are in `input`. */
export interface Entry {
  requestId: string;
  offset: number;
  length: number;
}

export const ledgerFile = 'input.jsonl';

/** Requests that can be repeated. Older requests are dropped when the file is compacted. */
const keptEntries = 1024;
const linesMax = 4 * keptEntries;
const fileBytesMax = 16 * 1024 * 1024;

/**
 * input.jsonl: the writes to a run, each recorded before it is done, so that a repeated request is not done twice. A
 * request with an incomplete line was never done.
 */
export class InputLedger {
  readonly #file: string;
  readonly #entries = new Map<string, Entry>();
  #last: Entry | null = null;
  #closedBy: string | null = null;
  #lines = 0;
  #isTorn = false;

  constructor(file: string) {
    this.#file = file;
    const text = readLedger(file);
    for (const line of text.split('\n')) this.#take(parseLine(line));
    this.#isTorn = text !== '' && !text.endsWith('\n');
  }

  /** The newest entry, and the only one whose bytes may be incomplete. */
  get last(): Entry | null {
    return this.#last;
  }

  /** The request that closed the input; null: it is open. */
  get closedBy(): string | null {
    return this.#closedBy;
  }

  find(requestId: string): Entry | null {
    return this.#entries.get(requestId) ?? null;
  }

  add(entry: Entry): void {
    this.#note(entry);
  }

  /** Records that the request was never done and never will be. */
  drop({ requestId, offset }: Entry): void {
    this.#note({ requestId, offset, dropped: true });
  }

  close(requestId: string, offset: number): void {
    this.#note({ requestId, offset, closed: true });
  }

  #note(line: Line): void {
    const sizeBefore = fs.statSync(this.#file).size;
    const bytes = Buffer.from(`${this.#isTorn ? '\n' : ''}${JSON.stringify(line)}\n`);
    const fd = openOwnFile(this.#file, O_WRONLY | O_APPEND);
    try {
      if (fs.writeSync(fd, bytes) < bytes.length) {
        fs.ftruncateSync(fd, sizeBefore);
        throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
      }
    } finally {
      fs.closeSync(fd);
    }
    this.#isTorn = false;
    this.#take(line);
    if (this.#lines > linesMax) this.#compact();
  }

  #take(line: Line | null): void {
    if (line === null) return;
    this.#lines += 1;
    const { requestId, offset } = line;
    if ('closed' in line) this.#closedBy = requestId;
    else if ('dropped' in line) {
      this.#entries.delete(requestId);
      // The bytes before it are complete.
      this.#last = { requestId: '', offset, length: 0 };
    } else {
      this.#last = { requestId, offset, length: line.length };
      this.#entries.set(requestId, this.#last);
    }
  }

  #compact(): void {
    const kept = [...this.#entries.values()].slice(-keptEntries);
    const lines: Line[] = [...kept];
    if (this.#closedBy !== null)
      lines.push({ requestId: this.#closedBy, offset: endOf(this.#last), closed: true });
    const temporary = `${this.#file}.tmp`;
    try {
      fs.writeFileSync(temporary, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600 });
      fs.renameSync(temporary, this.#file);
    } catch {
      // The disk is full, so the file keeps its size.
      return;
    }
    this.#entries.clear();
    for (const entry of kept) this.#entries.set(entry.requestId, entry);
    this.#lines = lines.length;
  }
}

function readLedger(file: string): string {
  const fd = openOwnFile(file);
  try {
    if (fs.fstatSync(fd).size > fileBytesMax) throw new Error(`${file} is larger than any of ours`);
    return fs.readFileSync(fd, 'utf8');
  } finally {
    fs.closeSync(fd);
  }
}

export function endOf(entry: Entry | null): number {
  return entry === null ? 0 : entry.offset + entry.length;
}

type Line =
  | Entry
  | { requestId: string; offset: number; dropped: true }
  | { requestId: string; offset: number; closed: true };

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** null: not a line of the ledger, or an incomplete line. */
function parseLine(text: string): Line | null {
  try {
    const { requestId, offset, length, dropped, closed } = JSON.parse(text);
    if (typeof requestId !== 'string' || !isCount(offset)) return null;
    if (dropped === true) return { requestId, offset, dropped };
    if (closed === true) return { requestId, offset, closed };
    return isCount(length) ? { requestId, offset, length } : null;
  } catch {
    return null;
  }
}

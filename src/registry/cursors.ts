import { knownValue } from '../model/facts/reading.js';
import type { RunDirectory } from '../store/run-directory.js';

/** Beyond this number, the reader with the oldest request is forgotten and begins anew. */
const readersMax = 256;

/** The position of a reader in the output, and the result of its last request. */
interface Cursor {
  at: number;
  before: number;
  requestId: string;
  /** The reader has received the end of the run. */
  sawEnd: boolean;
}

/** The result of a single request. */
interface Move {
  from: number;
  to: number;
  sawEnd: boolean;
}

const fileName = 'cursors.json';

/**
 * Each reader of a run has its own position in the output. Positions are stored with the run and outlive every daemon.
 */
export class Cursors {
  readonly #directory: RunDirectory;
  /** Loaded at the first read. */
  #cursors: Map<string, Cursor> | null = null;

  constructor(directory: RunDirectory) {
    this.#directory = directory;
  }

  /** Where to read on. A repeated request gets the same output again, because its answer was lost. */
  placeOf(reader: string, requestId: string): number {
    const cursor = this.#load().get(reader);
    if (cursor === undefined) return 0;
    return cursor.requestId === requestId ? cursor.before : cursor.at;
  }

  /** What a reader has received so far. */
  knownTo(reader: string): { at: number; sawEnd: boolean } {
    const { at = 0, sawEnd = false } = this.#load().get(reader) ?? {};
    return { at, sawEnd };
  }

  move(reader: string, requestId: string, { from, to, sawEnd }: Move): void {
    const cursors = this.#load();
    const before = cursors.get(reader);
    if (from === to && before?.at === to && before.sawEnd === sawEnd) return;
    // The latest reader moves to the end of the list.
    cursors.delete(reader);
    cursors.set(reader, { at: to, before: from, requestId, sawEnd });
    for (const name of cursors.keys()) {
      if (cursors.size <= readersMax) break;
      cursors.delete(name);
    }
    try {
      this.#directory.writeWhole(fileName, Object.fromEntries(cursors));
    } catch {
      // The disk is full. The position is kept until this daemon ends.
    }
  }

  #load(): Map<string, Cursor> {
    this.#cursors ??= read(knownValue(this.#directory.readJson(fileName), 'the place of the reader'));
    return this.#cursors;
  }
}

function read(content: unknown): Map<string, Cursor> {
  const cursors = new Map<string, Cursor>();
  // No reader yet, or an unreadable file: readers start at the beginning, so that they miss nothing.
  for (const [reader, cursor] of Object.entries(content ?? {})) {
    const { at, before, requestId, sawEnd } = (cursor ?? {}) as Cursor;
    if (![at, before].every((place) => Number.isSafeInteger(place) && place >= 0)) continue;
    cursors.set(reader, { at, before, requestId: String(requestId), sawEnd: sawEnd === true });
  }
  return cursors;
}

import { knownValue } from '../model/facts/reading.js';
import type { RunDirectory } from '../store/run-directory.js';

/** Beyond this the reader that asked longest ago is forgotten, and begins anew. */
const readersMax = 256;

/** Where a reader is in the output, and what its last request was given. */
interface Cursor {
  at: number;
  before: number;
  requestId: string;
  /** It has been told that the run has ended. */
  sawEnd: boolean;
}

/** What one request was given. */
interface Move {
  from: number;
  to: number;
  sawEnd: boolean;
}

const fileName = 'cursors.json';

/** Each reader of a run has its own place in the output; kept with the run, so it outlives every daemon. */
export class Cursors {
  readonly #directory: RunDirectory;
  /** Loaded when somebody reads. */
  #cursors: Map<string, Cursor> | null = null;

  constructor(directory: RunDirectory) {
    this.#directory = directory;
  }

  /** Where to read on. A request that is made again gets what it was given before: its answer was lost. */
  placeOf(reader: string, requestId: string): number {
    const cursor = this.#load().get(reader);
    if (cursor === undefined) return 0;
    return cursor.requestId === requestId ? cursor.before : cursor.at;
  }

  /** What a reader has been given so far. */
  knownTo(reader: string): { at: number; sawEnd: boolean } {
    const { at = 0, sawEnd = false } = this.#load().get(reader) ?? {};
    return { at, sawEnd };
  }

  move(reader: string, requestId: string, { from, to, sawEnd }: Move): void {
    const cursors = this.#load();
    const before = cursors.get(reader);
    if (from === to && before?.at === to && before.sawEnd === sawEnd) return;
    // The last one to ask is the last in the list.
    cursors.delete(reader);
    cursors.set(reader, { at: to, before: from, requestId, sawEnd });
    for (const name of cursors.keys()) {
      if (cursors.size <= readersMax) break;
      cursors.delete(name);
    }
    try {
      this.#directory.writeWhole(fileName, Object.fromEntries(cursors));
    } catch {
      // A full disk: the place is kept as long as we live.
    }
  }

  #load(): Map<string, Cursor> {
    this.#cursors ??= read(knownValue(this.#directory.readJson(fileName), 'the place of the reader'));
    return this.#cursors;
  }
}

function read(content: unknown): Map<string, Cursor> {
  const cursors = new Map<string, Cursor>();
  // Nobody has read yet, or what was there cannot be read: from the beginning, so that nothing is missed.
  for (const [reader, cursor] of Object.entries(content ?? {})) {
    const { at, before, requestId, sawEnd } = (cursor ?? {}) as Cursor;
    if (![at, before].every((place) => Number.isSafeInteger(place) && place >= 0)) continue;
    cursors.set(reader, { at, before, requestId: String(requestId), sawEnd: sawEnd === true });
  }
  return cursors;
}

import { beginWatch, readWatchState, type WatchState } from '../../diagnose/notices/watch-state.js';
import { knownValue } from '../../model/facts/reading.js';
import type { RunDirectory } from '../../store/run-directory.js';

const fileName = 'watch.json';
/** The search position is saved after this many bytes, so that the next daemon does not search them again. */
const savedBytes = 64 * 1024 * 1024;

/** How far the notices of a run have come, kept in its directory for the next daemon. */
export class KeptWatch {
  readonly #directory: RunDirectory;
  #state: WatchState;
  /** The search position in the saved state. */
  #savedTo: number;
  #isSaved = true;

  /** Throws when the file of an earlier daemon cannot be read. */
  constructor(directory: RunDirectory, beganMs: number) {
    this.#directory = directory;
    const saved = knownValue(directory.readJson(fileName), fileName);
    this.#state = beginWatch(readWatchState(saved), beganMs);
    this.#savedTo = this.#state.searchedTo;
  }

  get state(): WatchState {
    return this.#state;
  }

  /** So much was searched since the last save that it is saved again. */
  isBehind(searchedTo: number): boolean {
    return searchedTo - this.#savedTo > savedBytes;
  }

  /** `mayWait`: the next daemon finds the same again from the saved state. */
  advance(state: WatchState, mayWait: boolean): void {
    this.#state = state;
    this.#isSaved = false;
    if (!mayWait || this.isBehind(state.searchedTo)) this.save();
  }

  save(): void {
    if (this.#isSaved) return;
    this.#isSaved = true;
    this.#savedTo = this.#state.searchedTo;
    try {
      this.#directory.writeWhole(fileName, this.#state);
    } catch {
      // The disk is full, or the directory is gone. A match that is found again is not reported again.
    }
  }
}

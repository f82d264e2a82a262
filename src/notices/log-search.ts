import type { LogView } from '../store/log/log-view.js';
import { type Findings, PatternSearch } from './pattern-search.js';

const chunkBytes = 256 * 1024;
const newline = 0x0a;

/** Searches a growing log for patterns, from an offset on, a piece at a time. */
export class LogSearch {
  readonly #view: LogView;
  readonly #patterns: readonly string[];
  #search: PatternSearch;
  #at: number;

  /** Throws a Failure for an invalid pattern. */
  constructor(view: LogView, patterns: readonly string[], from: number) {
    this.#view = view;
    this.#patterns = patterns;
    this.#search = new PatternSearch(patterns, from);
    this.#at = from;
  }

  /** A search that continues from here finds the rest and nothing twice. */
  get searchedTo(): number {
    return this.#search.searchedTo;
  }

  /** What is in the next piece; null: the log has no more now. */
  async next(): Promise<Findings | null> {
    const { droppedBytes } = this.#view.trimmed();
    // The next bytes were dropped from the log.
    if (droppedBytes > this.#at) this.goTo(droppedBytes);
    const read = this.#view.read(this.#at, chunkBytes);
    // A line across two pieces is searched on its own, which is expensive. If more follows, the line is read again
    // instead.
    const end = read.length === chunkBytes ? read.lastIndexOf(newline) + 1 : 0;
    const chunk = end > 0 ? read.subarray(0, end) : read;
    this.#at += chunk.length;
    if (chunk.length === 0) return null;
    const search = this.#search;
    const found = await search.push(chunk);
    // The search was moved meanwhile, so the result of the new position counts.
    return search === this.#search ? found : this.next();
  }

  /** What is in the line that has not ended: a prompt has no newline. */
  async unfinished(): Promise<Findings> {
    const search = this.#search;
    const found = await search.pushUnfinished();
    return search === this.#search ? found : this.unfinished();
  }

  goTo(at: number): void {
    this.#search = new PatternSearch(this.#patterns, at);
    this.#at = at;
  }
}

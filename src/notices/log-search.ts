import type { LogView } from '../store/log/log-view.js';
import { type Findings, PatternSearch } from './pattern-search.js';

const chunkBytes = 256 * 1024;
const newline = 0x0a;

/** Looks for patterns in a log that grows, from a place on, a piece at a time. */
export class LogSearch {
  readonly #view: LogView;
  readonly #patterns: readonly string[];
  #search: PatternSearch;
  #at: number;

  /** Throws a Failure for a pattern that is none. */
  constructor(view: LogView, patterns: readonly string[], from: number) {
    this.#view = view;
    this.#patterns = patterns;
    this.#search = new PatternSearch(patterns, from);
    this.#at = from;
  }

  /** Whoever goes on from here finds what is left and nothing twice. */
  get searchedTo(): number {
    return this.#search.searchedTo;
  }

  /** What is in the next piece; null: there is no more by now. */
  async next(): Promise<Findings | null> {
    const { droppedBytes } = this.#view.trimmed();
    // What was next is not kept any more.
    if (droppedBytes > this.#at) this.goTo(droppedBytes);
    const read = this.#view.read(this.#at, chunkBytes);
    // A line in two pieces is searched on its own, which is dear: where more is to come, it is read again.
    const end = read.length === chunkBytes ? read.lastIndexOf(newline) + 1 : 0;
    const chunk = end > 0 ? read.subarray(0, end) : read;
    this.#at += chunk.length;
    if (chunk.length === 0) return null;
    const search = this.#search;
    const found = await search.push(chunk);
    // Sent elsewhere meanwhile: what is there counts.
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

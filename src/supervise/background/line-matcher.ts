import { PatternSearch } from '../notices/pattern-search.js';

export interface Match {
  line: string;
  /** Bytes from the beginning to the end of that line, its newline included. */
  end: number;
}

/** Looks for the first line with a text or a regular expression in it. */
export class LineMatcher {
  readonly #search: PatternSearch;

  constructor(pattern: string) {
    this.#search = new PatternSearch([pattern]);
  }

  /** null: not yet. The line that has not ended counts, too: a prompt has no newline. */
  push(chunk: Buffer): Match | null {
    const ended = this.#search.push(chunk);
    const { first, failures } = ended.first === null ? this.#search.pushUnfinished() : ended;
    const [failure] = [...ended.failures, ...failures];
    if (first !== null) return { line: first.line, end: first.end };
    if (failure !== undefined) throw failure;
    return null;
  }
}

import { call } from '../api.js';

const pageLines = 400;
/** Pages in memory. */
const pagesMax = 60;
/** A page that could not be read is asked for again after this time. */
const againMs = 1000;

/** The lines of a log, read in pages when they come into view. */
export class LogPages {
  readonly #id: string;
  readonly #changed: () => void;
  readonly #pages = new Map<number, string[]>();
  readonly #asked = new Set<number>();
  readonly #newer = new Set<number>();
  #isRefreshing = false;
  #isStale = false;
  #isClosed = false;
  total = 0;
  dropped = 0;
  /** All lines are counted. */
  isCounted = false;
  error: unknown = null;

  constructor(id: string, changed: () => void) {
    this.#id = id;
    this.#changed = changed;
  }

  /** undefined: not read yet. A page that was read when there were fewer lines is read again. */
  line(number: number): string | undefined {
    const page = Math.floor(number / pageLines);
    const text = this.#pages.get(page)?.[number - page * pageLines];
    if (text === undefined) void this.#load(page);
    return text;
  }

  /**
   * Reads how many lines there are now. What was read of the unfinished page is read again. One question at a time: a run that
   * prints all the time asks for this all the time, and the browser has few connections for everything.
   */
  async refresh(): Promise<void> {
    this.#isStale = true;
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    try {
      while (this.#isStale && !this.#isClosed) {
        this.#isStale = false;
        await this.#count();
      }
    } finally {
      this.#isRefreshing = false;
    }
  }

  /** The page is left. */
  close(): void {
    this.#isClosed = true;
  }

  async #count(): Promise<void> {
    try {
      const { totalLines, droppedLines, atLeast } = await call('log', { id: this.#id, limit: 0, offset: 0 });
      const last = Math.floor(this.total / pageLines);
      if (totalLines !== this.total) void this.#load(last, true);
      this.total = totalLines;
      this.dropped = droppedLines;
      this.isCounted = atLeast !== true;
      this.#isStale ||= atLeast === true;
      this.error = null;
    } catch (error) {
      this.error = error;
    }
    this.#changed();
  }

  /** The number of the line that has this byte of output. */
  async lineAt(byte: number): Promise<number> {
    const { offset } = await call('log', { id: this.#id, atByte: byte, limit: 1 });
    return offset;
  }

  /** One question per page at a time; what changed meanwhile is asked for after it. */
  async #load(page: number, isNewer = false): Promise<void> {
    if (this.#asked.has(page)) {
      if (isNewer) this.#newer.add(page);
      return;
    }
    this.#asked.add(page);
    const isRead = await this.#read(page);
    this.#changed();
    if (!isRead) await new Promise((resolve) => setTimeout(resolve, againMs));
    this.#asked.delete(page);
    if (this.#isClosed) return;
    if (this.#newer.delete(page)) await this.#load(page);
    else if (!isRead) this.#changed();
  }

  /** Whether all lines of the page are there. A daemon that was started again has to count before it finds them. */
  async #read(page: number): Promise<boolean> {
    const first = page * pageLines;
    try {
      const { lines, offset } = await call('log', { id: this.#id, offset: first, limit: pageLines });
      // Lines that were dropped for the disk cap are not there.
      const missing = Math.min(Math.max(0, offset - first), pageLines);
      this.#pages.delete(page);
      this.#pages.set(page, [...Array<string>(missing).fill(''), ...lines]);
      const oldest = this.#pages.size > pagesMax ? this.#pages.keys().next().value : undefined;
      if (oldest !== undefined) this.#pages.delete(oldest);
      this.error = null;
      return missing + lines.length >= Math.min(pageLines, this.total - first);
    } catch (error) {
      this.error = error;
      return false;
    }
  }
}

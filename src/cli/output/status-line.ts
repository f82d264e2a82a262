import { isForeground } from '../../control/run.js';
import { useColor } from './color.js';

const newline = 10;
const everyMs = 1000;
const erase = '\r\x1b[2K';
/** Without wrapping: a wrapped line could not be erased. */
function draw(text: string): string {
  const shown = useColor(process.stderr) ? `\x1b[2m${text}\x1b[22m` : text;
  return `${erase}\x1b[?7l${shown}\x1b[?7h`;
}

/**
 * A line at the bottom of the terminal. It is erased before anything is printed, and drawn only at the start of a line,
 * so the output of the command stays intact.
 */
export class StatusLine {
  readonly #write: (text: string) => void;
  readonly #read: (columns: number) => string | null;
  readonly #timer: NodeJS.Timeout;
  #shown = false;
  #lineBegins = true;

  /** `read`: returns the text for this many columns; null: nothing may be drawn now. */
  constructor(write: (text: string) => void, read: (columns: number) => string | null) {
    this.#write = write;
    this.#read = read;
    this.#timer = setInterval(() => this.#draw(), everyMs);
    this.#timer.unref();
  }

  /** Returns what must be written before the chunk. */
  makeRoom(chunk: Uint8Array): string {
    const was = this.#shown;
    this.#shown = false;
    this.#lineBegins = chunk[chunk.length - 1] === newline;
    return was ? erase : '';
  }

  /** Prints our own lines. */
  print(text: string): void {
    const lead = this.#shown ? erase : '';
    this.#shown = false;
    this.#lineBegins = true;
    this.#write(`${lead}${text}`);
  }

  end(): void {
    clearInterval(this.#timer);
    if (this.#shown) this.#write(erase);
    this.#shown = false;
  }

  #draw(): void {
    // A background job must not draw on the terminal.
    if (!this.#lineBegins || !isForeground()) return;
    const text = this.#read(process.stderr.columns ?? 80);
    if (text === null) return;
    this.#write(draw(text));
    this.#shown = true;
  }
}

import { isForeground } from '../control/run.js';
import { useColor } from './color.js';

const newline = 10;
const everyMs = 1000;
const erase = '\r\x1b[2K';
/** Without wrapping: a line too long for the terminal could not be erased again. */
function draw(text: string): string {
  const shown = useColor(process.stderr) ? `\x1b[2m${text}\x1b[22m` : text;
  return `${erase}\x1b[?7l${shown}\x1b[?7h`;
}

/**
 * One line at the bottom of the terminal that is never in the way: it is erased before anything is printed, and
 * drawn only where a line begins, so that the command's own output stays as it is.
 */
export class StatusLine {
  readonly #write: (text: string) => void;
  readonly #read: (columns: number) => string;
  readonly #timer: NodeJS.Timeout;
  #shown = false;
  #lineBegins = true;

  /** `read`: what to show, in so many columns. */
  constructor(write: (text: string) => void, read: (columns: number) => string) {
    this.#write = write;
    this.#read = read;
    this.#timer = setInterval(() => this.#draw(), everyMs);
    this.#timer.unref();
  }

  /** Before something is printed there: what has to be written first. */
  makeRoom(chunk: Uint8Array): string {
    const was = this.#shown;
    this.#shown = false;
    this.#lineBegins = chunk[chunk.length - 1] === newline;
    return was ? erase : '';
  }

  /** Prints lines of ours. */
  say(text: string): void {
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
    // A job in the background has no business on the terminal.
    if (!this.#lineBegins || !isForeground()) return;
    this.#write(draw(this.#read(process.stderr.columns ?? 80)));
    this.#shown = true;
  }
}

import { emitKeypressEvents, type Key } from 'node:readline';
import { canDraw } from './color.js';

/** The alternate screen without cursor and wrapping, where a paste is marked; the normal screen returns unchanged. */
const enter = '\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?2004h';
const leave = '\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l';

/** Escape is a key of its own when nothing follows it for this long. */
const escapeMs = 100;
/** A process that was stopped and continued is past this. */
const stoppedMs = 50;

interface Listeners {
  /** A character as it is; `up`, `pagedown`, `return`, `escape` … for other keys; `ctrl-c`. */
  pressed(key: string, isPasted: boolean): void;
  /** Everything must be drawn. */
  resized(): void;
  /** A signal, or the terminal is gone. */
  ended(): void;
}

/**
 * The whole terminal, until it is closed. Only lines that differ are written, so nothing flickers and a slow connection
 * suffices. On a dumb terminal screens are printed one after the other.
 */
export class LiveScreen {
  readonly #on: Listeners;
  readonly #draws = canDraw(process.stdout);
  readonly #hasKeys = process.stdin.isTTY === true;
  #shown: readonly string[] = [];
  #isOpen = false;
  #isPasting = false;
  #returning: NodeJS.Timeout | undefined;

  constructor(listeners: Listeners) {
    this.#on = listeners;
    for (const signal of signals) process.on(signal, this.#on.ended);
    if (this.#hasKeys) {
      emitKeypressEvents(process.stdin, { escapeCodeTimeout: escapeMs } as never);
      process.stdin.on('keypress', this.#typed).on('end', this.#on.ended);
    }
    process.stdout.on('resize', this.redraw);
    // However this process ends, the terminal is restored.
    process.once('exit', this.#leave);
    this.#enter();
  }

  get columns(): number {
    return process.stdout.columns || 80;
  }

  get rows(): number {
    return process.stdout.rows || 24;
  }

  draw(lines: readonly string[]): void {
    if (!this.#isOpen) return;
    if (!this.#draws) return void process.stdout.write(`${lines.join('\n')}\n\n`);
    const count = Math.max(lines.length, this.#shown.length);
    const changed = Array.from({ length: Math.min(count, this.rows) }, (_, row) => row).filter(
      (row) => lines[row] !== this.#shown[row],
    );
    this.#shown = [...lines];
    // A line is erased before it is written: after a full line, the last column would be erased.
    process.stdout.write(changed.map((row) => `\x1b[${row + 1};1H\x1b[2K${lines[row] ?? ''}`).join(''));
  }

  /** Ctrl-Z: the shell gets its screen until it continues this job. */
  suspend(): void {
    this.#leave();
    process.kill(0, 'SIGTSTP');
    this.#returning = setTimeout(() => {
      this.#enter();
      this.#on.resized();
    }, stoppedMs);
  }

  /** Draws everything anew: the size is another, or another program has written here. */
  readonly redraw = (): void => {
    this.#shown = [];
    if (this.#draws && this.#isOpen) process.stdout.write('\x1b[2J');
    this.#on.resized();
  };

  close(): void {
    clearTimeout(this.#returning);
    for (const signal of signals) process.off(signal, this.#on.ended);
    process.stdin.off('keypress', this.#typed).off('end', this.#on.ended).pause();
    process.stdout.off('resize', this.redraw);
    process.off('exit', this.#leave);
    this.#leave();
  }

  #enter(): void {
    this.#isOpen = true;
    this.#shown = [];
    if (this.#hasKeys) process.stdin.setRawMode(true).resume();
    if (this.#draws) process.stdout.write(enter);
  }

  readonly #leave = (): void => {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    if (this.#draws) process.stdout.write(leave);
    if (this.#hasKeys) process.stdin.setRawMode(false);
  };

  readonly #typed = (character: string | undefined, { name, ctrl, meta, sequence }: Key): void => {
    if (name === 'paste-start' || name === 'paste-end') {
      this.#isPasting = name === 'paste-start';
      return;
    }
    const isText = character !== undefined && !meta && !/^[\x00-\x1f\x7f]/.test(sequence ?? '');
    const key = ctrl === true ? `ctrl-${name}` : isText ? character : (name ?? '');
    this.#on.pressed(key, this.#isPasting);
  };
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Lines that fit, with a line that counts those that do not. */
export function fitRows(lines: readonly string[], rows: number): string[] {
  if (lines.length <= rows) return [...lines];
  return [...lines.slice(0, rows - 1), `and ${lines.length - rows + 1} more lines`];
}

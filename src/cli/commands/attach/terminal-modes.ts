/** Terminal modes that are on by default: wrapping, the cursor, its blinking. */
const onByDefault = new Set([7, 12, 25]);
/** Longest incomplete sequence. */
const unfinishedMax = 64;

const sequence = (mode: number, on: boolean) => `\x1b[?${mode}${on ? 'h' : 'l'}`;

/**
 * Tracks the modes that a program has switched in its terminal (alternate screen, mouse, cursor). A terminal that
 * attaches later gets the same modes, and gets its own back when it leaves.
 */
export class TerminalModes {
  readonly #changed = new Map<number, boolean>();
  #unfinished = '';

  read(chunk: Uint8Array): void {
    const text =
      this.#unfinished + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1');
    for (const [, modes = '', final] of text.matchAll(/\x1b\[\?([\d;]{1,40})([hl])/g)) {
      for (const mode of modes.split(';').map(Number)) this.#set(mode, final === 'h');
    }
    const last = text.slice(-unfinishedMax);
    this.#unfinished = /\x1b(?:\[(?:\?[\d;]*)?)?$/.exec(last)?.[0] ?? '';
  }

  /** Sequences that give a fresh terminal the modes of the program. */
  get enter(): string {
    return [...this.#changed].map(([mode, on]) => sequence(mode, on)).join('');
  }

  /** Sequences that undo them, and reset colours. */
  get leave(): string {
    const back = [...this.#changed].reverse().map(([mode, on]) => sequence(mode, !on));
    return `${back.join('')}\x1b[0m`;
  }

  #set(mode: number, on: boolean): void {
    if (on === onByDefault.has(mode)) this.#changed.delete(mode);
    else this.#changed.set(mode, on);
  }
}

/** Modes of a terminal that are on before any program says something: wrapping, the cursor, its blinking. */
const onByDefault = new Set([7, 12, 25]);
/** A sequence that is still on its way is not longer than this. */
const unfinishedMax = 64;

const sequence = (mode: number, on: boolean) => `\x1b[?${mode}${on ? 'h' : 'l'}`;

/**
 * What a program has switched on or off in the terminal it writes to (another screen, the mouse, no cursor), so that
 * whoever comes later gets the same, and whoever leaves gets their own terminal back.
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

  /** Makes a fresh terminal like that of the program. */
  get enter(): string {
    return [...this.#changed].map(([mode, on]) => sequence(mode, on)).join('');
  }

  /** Makes it fresh again; colours and the like too. */
  get leave(): string {
    const back = [...this.#changed].reverse().map(([mode, on]) => sequence(mode, !on));
    return `${back.join('')}\x1b[0m`;
  }

  #set(mode: number, on: boolean): void {
    if (on === onByDefault.has(mode)) this.#changed.delete(mode);
    else this.#changed.set(mode, on);
  }
}

import { StringDecoder } from 'node:string_decoder';

/** State inside a sequence. `kept`: a sequence so far that may be passed on. */
type State =
  | { kind: 'text' }
  | { kind: 'escape' }
  | { kind: 'control'; kept: string }
  /** A title, the clipboard, a picture: until its end or the end of the line. */
  | { kind: 'string'; isEscape: boolean };

/** Colours, and erasing the rest of a line, as progress bars do. */
const harmless = /^\x1b\[(?:[\d;:]*m|[012]?K)$/;

/** Longer than any colour sequence. */
const sequenceCharsMax = 64;

const stringStarts: ReadonlySet<string> = new Set([']', 'P', 'X', '^', '_']);

/** Text without these is passed on; tabs and line ends are harmless. */
const hasControls = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;

const text: State = { kind: 'text' };

/**
 * Makes output safe for a terminal: colours stay, everything else that a terminal obeys is removed (clipboard, title,
 * queries, cursor movement, modes). Chunks may be cut anywhere.
 */
export class TerminalFilter {
  readonly #decoder = new StringDecoder('utf8');
  #state: State = text;
  #isColored = false;

  push(chunk: Buffer | string): string {
    const decoded = typeof chunk === 'string' ? chunk : this.#decoder.write(chunk);
    if (this.#state.kind === 'text' && !hasControls.test(decoded)) return decoded;
    let shown = '';
    for (const character of decoded) shown += this.#take(character);
    return shown;
  }

  /** Flushes an incomplete character and resets the colour. */
  end(): string {
    this.#state = text;
    const rest = this.#decoder.end();
    return this.#isColored ? `${rest}\x1b[0m` : rest;
  }

  #take(character: string): string {
    const state = this.#state;
    switch (state.kind) {
      case 'text':
        return this.#takeText(character);
      case 'escape':
        return this.#takeEscape(character);
      case 'control':
        return this.#takeControl(state.kept + character, character);
      case 'string':
        return this.#takeString(state.isEscape, character);
    }
  }

  #takeText(character: string): string {
    if (character === '\x1b') this.#state = { kind: 'escape' };
    return character === '\r' || !hasControls.test(character) ? character : '';
  }

  #takeEscape(character: string): string {
    this.#state = text;
    if (character === '[') this.#state = { kind: 'control', kept: '\x1b[' };
    else if (stringStarts.has(character)) this.#state = { kind: 'string', isEscape: false };
    else if (character >= ' ' && character <= '/') this.#state = { kind: 'escape' };
    else if (character < ' ' || character > '~') return this.#takeText(character);
    return '';
  }

  #takeControl(kept: string, character: string): string {
    if (character >= ' ' && character <= '?') {
      // A sequence that is too long is not a colour; it is skipped to its end.
      this.#state = { kind: 'control', kept: kept.slice(0, sequenceCharsMax + 1) };
      return '';
    }
    this.#state = text;
    // The sequence was cut short: this character is not part of it.
    if (character < '@' || character > '~') return this.#takeText(character);
    if (kept.length > sequenceCharsMax || !harmless.test(kept)) return '';
    if (character === 'm') this.#isColored = !/^\x1b\[[0;:]*m$/.test(kept);
    return kept;
  }

  #takeString(isEscape: boolean, character: string): string {
    if (character === '\n') {
      this.#state = text;
      return character;
    }
    // Any other sequence also ends a string and starts itself.
    if (isEscape && character !== '\\') return this.#takeEscape(character);
    const isOver = character === '\x07' || character === '\x9c' || isEscape;
    this.#state = isOver ? text : { kind: 'string', isEscape: character === '\x1b' };
    return '';
  }
}

/** Filters a whole output; unchanged to a pipe or a file, or with `raw`. */
export function forOutput(output: string, raw: boolean | undefined): string {
  if (raw === true || process.stdout.isTTY !== true) return output;
  const filter = new TerminalFilter();
  return filter.push(output) + filter.end();
}

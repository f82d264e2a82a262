import { StringDecoder } from 'node:string_decoder';

/** Where the filter is in a sequence. `kept`: what it has of one that may be let through. */
type State =
  | { kind: 'text' }
  | { kind: 'escape' }
  | { kind: 'control'; kept: string }
  /** A title, the clipboard, a picture: until its end, or the end of the line. */
  | { kind: 'string'; isEscape: boolean };

/** Colours, and the rest of a line erased, as progress bars do. */
const harmless = /^\x1b\[(?:[\d;:]*m|[012]?K)$/;

/** No colour needs more. */
const sequenceCharsMax = 64;

const stringStarts: ReadonlySet<string> = new Set([']', 'P', 'X', '^', '_']);

/** Nothing to do for text that has none of these; tabs and line ends are harmless. */
const hasControls = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;

const text: State = { kind: 'text' };

/**
 * Output of a program for the terminal of a person: colours stay, and nothing else that a terminal obeys (clipboard,
 * title, questions it would answer, moves of the cursor, modes). Chunks may be cut anywhere.
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

  /** What was cut at the very end, and the end of a colour. */
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
      // One that is too long is no colour: it is followed to its end all the same.
      this.#state = { kind: 'control', kept: kept.slice(0, sequenceCharsMax + 1) };
      return '';
    }
    this.#state = text;
    // Cut short: what comes now is not part of it.
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
    // Any other sequence ends a string as well, and begins itself.
    if (isEscape && character !== '\\') return this.#takeEscape(character);
    const isOver = character === '\x07' || character === '\x9c' || isEscape;
    this.#state = isOver ? text : { kind: 'string', isEscape: character === '\x1b' };
    return '';
  }
}

/** All of an output at once; to a pipe or a file, or with `raw`, as it is. */
export function forOutput(output: string, raw: boolean | undefined): string {
  if (raw === true || process.stdout.isTTY !== true) return output;
  const filter = new TerminalFilter();
  return filter.push(output) + filter.end();
}

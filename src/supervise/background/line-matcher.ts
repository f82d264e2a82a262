import vm from 'node:vm';
import { Failure } from '../../model/failure.js';

/** Of a longer line only the beginning is looked at. */
const lineBytesMax = 64 * 1024;
/** For all lines of one piece of output together. */
const regexMsMax = 250;

const newline = 0x0a;

export interface Match {
  line: string;
  /** Bytes from the beginning to the end of that line, its newline included. */
  end: number;
}

/** What `/…/flags` or a plain text means. */
type Finder = (lines: string[]) => number;

/** Looks for the first line with a text in it, piece by piece, across the borders of pieces and in constant memory. */
export class LineMatcher {
  readonly #find: Finder;
  #unfinished: Buffer = Buffer.alloc(0);
  /** Bytes of lines that have ended, and of the present one that are not kept. */
  #before = 0;
  #dropped = 0;

  constructor(pattern: string) {
    this.#find = finderOf(pattern);
  }

  /** null: not yet. The line that has not ended counts, too: a prompt has no newline. */
  push(chunk: Buffer): Match | null {
    const bytes = this.#unfinished.length === 0 ? chunk : Buffer.concat([this.#unfinished, chunk]);
    const ends: number[] = [];
    for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) ends.push(at);
    const bounds = ends.map(
      (end, index) => [index === 0 ? 0 : (ends[index - 1] as number) + 1, end] as const,
    );
    const rest = (ends.at(-1) ?? -1) + 1;
    const lines = [...bounds, [rest, bytes.length] as const];
    const texts = lines.map(([from, to]) =>
      bytes.toString('utf8', from, Math.min(to, from + lineBytesMax)).replace(/\r$/, ''),
    );
    const found = this.#find(texts);
    if (found !== -1) {
      const [, to] = lines[found] as readonly [number, number];
      const ended = found < bounds.length ? 1 : 0;
      return { line: texts[found] as string, end: this.#before + this.#dropped + to + ended };
    }
    this.#keep(bytes, rest);
    return null;
  }

  #keep(bytes: Buffer, rest: number): void {
    if (rest > 0) {
      this.#before += this.#dropped + rest;
      this.#dropped = 0;
    }
    const unfinished = bytes.subarray(rest);
    const kept = unfinished.subarray(0, lineBytesMax);
    this.#dropped += unfinished.length - kept.length;
    this.#unfinished = Buffer.from(kept);
  }
}

function finderOf(pattern: string): Finder {
  const regex = /^\/(.+)\/([dimsuv]*)$/s.exec(pattern);
  if (regex === null) return (lines) => lines.findIndex((line) => line.includes(pattern));
  const [, source = '', flags = ''] = regex;
  try {
    new RegExp(source, flags);
  } catch (error) {
    throw new Failure(
      'bad-input',
      `match is no regular expression: ${(error as Error).message}`,
      'write a plain text without the slashes, or correct it',
    );
  }
  // A regular expression can take for ever on one line: in a context of its own it can be interrupted.
  const context = vm.createContext({ lines: [] as string[], regex: new RegExp(source, flags) });
  const script = new vm.Script('lines.findIndex((line) => regex.test(line))');
  return (lines) => {
    context.lines = lines;
    try {
      return script.runInContext(context, { timeout: regexMsMax }) as number;
    } catch {
      throw new Failure(
        'bad-input',
        `the regular expression ${pattern} takes too long on this output`,
        'write it without nested repetition, such as (a+)+, or use a plain text',
      );
    }
  };
}

import pc from 'picocolors';
import { printable } from '../../../text/printable.js';
import { useColor } from '../../output/color.js';
import { displayWidth } from '../../output/display-width.js';
import { TerminalFilter } from '../../output/terminal-filter.js';
import { shortId } from '../../shared/short-id.js';

interface Labelled {
  id: string;
  label: string;
}

const colors = pc.createColors(true);
/** In the order of the runs; red and green would look like a judgement. */
const palette = [colors.cyan, colors.yellow, colors.magenta, colors.blue, colors.white, colors.gray];

/** What stands before each line of these runs: labels of equal width. The id is added where labels are the same. */
export function linePrefixes(runs: readonly Labelled[], color = useColor()): Map<string, string> {
  const ids = runs.map(({ id }) => id);
  const names = runs.map(({ id, label }) => {
    const isShared = runs.filter((other) => other.label === label).length > 1;
    return isShared ? `${printable(label)} (${shortId(id, ids)})` : printable(label);
  });
  const width = Math.max(...names.map(displayWidth));
  return new Map(
    names.map((name, index) => {
      const text = `${name}${' '.repeat(width - displayWidth(name))} |`;
      const paint = palette[index % palette.length] as (text: string) => string;
      return [ids[index] as string, `${color ? paint(text) : text} `];
    }),
  );
}

/** A longer line is printed in pieces, each with its label. */
const lineBytesMax = 64 * 1024;
const newline = 0x0a;

/** Cuts the output of a run into lines, each with its prefix. */
export class LabelledLines {
  readonly #prefix: Buffer;
  readonly #raw: boolean | undefined;
  /** The beginning of a line that has not ended. */
  #open: Buffer = Buffer.alloc(0);

  constructor(prefix: string, raw: boolean | undefined) {
    this.#prefix = Buffer.from(prefix);
    this.#raw = raw;
  }

  push(chunk: Uint8Array): Buffer {
    let rest = Buffer.concat([this.#open, chunk]);
    const lines: Buffer[] = [];
    for (let end = rest.indexOf(newline); ; end = rest.indexOf(newline)) {
      const length = Math.min(end < 0 ? rest.length : end, lineBytesMax);
      if (end < 0 && length < lineBytesMax) break;
      lines.push(...this.#line(rest.subarray(0, length)));
      rest = rest.subarray(length === end ? end + 1 : length);
    }
    this.#open = rest;
    return Buffer.concat(lines);
  }

  /** The last line, if it did not end. */
  end(): Buffer {
    const lines = this.#open.length === 0 ? [] : this.#line(this.#open);
    this.#open = Buffer.alloc(0);
    return Buffer.concat(lines);
  }

  #line(bytes: Buffer): Buffer[] {
    return [
      this.#prefix,
      isSafe(this.#raw) ? bytes : Buffer.from(safeText(bytes.toString())),
      Buffer.of(newline),
    ];
  }
}

/** Without what could act on the terminal or cover the label. A colour ends with its line. */
function safeText(text: string): string {
  const filter = new TerminalFilter();
  const safe = filter.push(text).replace(/\r+$/, '');
  return safe.slice(safe.lastIndexOf('\r') + 1) + filter.end();
}

/** One line of one of several runs. */
interface TimedLine extends Pick<Labelled, 'id'> {
  line: string;
  atMs: number;
}

/** Lines of several runs in the order of their times. The lines of a run stay in their order. */
export function mergeLines(
  logs: readonly { id: string; lines: string[]; times?: number[] | undefined }[],
): TimedLine[] {
  const all = logs.flatMap(({ id, lines, times }) => {
    let atMs = 0;
    return lines.map((line, index): TimedLine => {
      // A clock that was set back does not change the order of a run.
      atMs = Math.max(atMs, times?.[index] ?? 0);
      return { id, line, atMs };
    });
  });
  // A stable sort.
  return all.sort((one, other) => one.atMs - other.atMs);
}

/** Lines that were read whole. */
export function labelled({ id, line }: TimedLine, prefixes: Map<string, string>, raw?: boolean): string {
  return `${prefixes.get(id) ?? ''}${isSafe(raw) ? line : safeText(line)}\n`;
}

/** Every byte may be passed on. */
function isSafe(raw: boolean | undefined): boolean {
  return raw === true || process.stdout.isTTY !== true;
}

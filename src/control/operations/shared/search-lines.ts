import { setImmediate as letOthersRun } from 'node:timers/promises';
import { type Findings, PatternSearch } from '../../../notices/pattern-search.js';
import type { LinesOptions, LogLines, LogView } from '../../../store/log/log-view.js';

export interface FoundLines extends LogLines {
  numbers: number[];
  nextOffset?: number;
}

/** Words that tools use for failures, excluding `0 errors` and the like. */
export const failureLines = [
  '/(?<!\\b(?:0|no|without) )\\b(?:errors?|fail(?:ed|ures?|ing)?|fatal|panic(?:ked)?|traceback|aborted|denied|refused|unhandled|uncaught|segmentation fault|core dumped|not found|no such file|cannot|could not|timed out|not ok|undefined reference)\\b(?!:? ?0\\b)/i',
  '/\\w(?:Error|Exception)\\b|\\bE(?:ACCES|ADDRINUSE|CONN[A-Z]+|EXIST|INVAL|ISDIR|MFILE|NOENT|NOMEM|NOSPC|PERM|PIPE|TIMEDOUT)\\b|^\\s*[✗✘×✖]/',
] as const;

const pageLines = 2000;
/** A longer search is continued by another call. */
const searchMsMax = 2000;

/**
 * Lines that match any of the patterns, in order. Blocks without a match are skipped as raw bytes. A regular expression
 * that takes too long is a Failure.
 */
export async function searchLines(
  view: LogView,
  patterns: readonly string[],
  { offset = 0, limit, plain }: LinesOptions,
  signal: AbortSignal,
): Promise<FoundLines> {
  // Counting the lines of an unread log is not part of the search time.
  await view.lines({ limit: 0, plain }, signal);
  const endMs = performance.now() + searchMsMax;
  const lines: string[] = [];
  const numbers: number[] = [];
  const find = finder(patterns);
  const barren = barrenBytes(patterns);
  for (let at = offset; ; ) {
    const skipped = await view.skip(
      at,
      (bytes) => (performance.now() > endMs ? Promise.resolve(0) : barren(bytes)),
      signal,
    );
    // In a long log, fewer lines may have been counted than the search starts with.
    const first = Math.max(at, skipped);
    const page = await view.lines({ offset: first, limit: pageLines, plain }, signal);
    const { totalLines, droppedLines, atLeast } = page;
    const found = (nextOffset?: number): FoundLines => ({
      lines,
      numbers,
      offset: numbers[0] ?? offset,
      totalLines,
      droppedLines,
      ...(atLeast && { atLeast }),
      ...(nextOffset !== undefined && { nextOffset }),
    });
    if (page.lines.length === 0 && !atLeast) return found();
    for await (const index of find(page.lines)) {
      if (lines.length === limit) return found(page.offset + index);
      lines.push(page.lines[index] ?? '');
      numbers.push(page.offset + index);
    }
    at = Math.max(first, page.offset + page.lines.length);
    if (at >= totalLines && !atLeast) return found();
    if (performance.now() > endMs) return found(at);
    await letOthersRun();
  }
}

/** Text that is shown differently from the bytes on disk: overwritten, trimmed or too long. */
const painted = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\r(?!\n)|[^\S\r\n]\r?\n/;
const rawBytesMax = 64 * 1024;
const newline = 0x0a;

function isAsShown(lines: Buffer): boolean {
  for (let at = 0; lines.length - at > rawBytesMax; ) {
    const end = lines.lastIndexOf(newline, at + rawBytesMax - 1);
    if (end < at) return false;
    at = end + 1;
  }
  return !painted.test(lines.toString());
}

/** How many of these bytes, up to the start of a line, contain no match. */
function barrenBytes(patterns: readonly string[]): (lines: Buffer) => Promise<number> {
  const search = new PatternSearch(patterns);
  return async (lines) => {
    if (!isAsShown(lines)) return 0;
    const from = search.searchedTo;
    const { first } = await findIn(search, lines);
    if (first === null) return lines.length;
    const lineEnd = first.end - from - 1;
    return lineEnd === 0 ? 0 : lines.lastIndexOf(newline, lineEnd - 1) + 1;
  };
}

async function findIn(search: PatternSearch, lines: Buffer): Promise<Findings> {
  const found = await search.push(lines);
  if (found.failures[0] !== undefined) throw found.failures[0];
  return found;
}

/** Finds the indexes of matching lines. */
function finder(patterns: readonly string[]): (lines: readonly string[]) => AsyncGenerator<number> {
  const pages = new PatternSearch(patterns);
  const each = new PatternSearch(patterns);
  const countIn = async (search: PatternSearch, text: string) =>
    (await findIn(search, Buffer.from(`${text}\n`))).count;
  return async function* (lines) {
    const oneRow = lines.map((line) => line.replaceAll('\n', ' '));
    let left = await countIn(pages, oneRow.join('\n'));
    for (const [index, line] of oneRow.entries()) {
      if (left === 0) return;
      if ((await countIn(each, line)) === 0) continue;
      left -= 1;
      yield index;
    }
  };
}

import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { LinesOptions, LogLines, LogView } from '../../store/log-view.js';
import { PatternSearch } from '../../supervise/notices/pattern-search.js';

export interface FoundLines extends LogLines {
  numbers: number[];
  nextOffset?: number;
}

/** How tools of all kinds say that something went wrong, and not that nothing did: `0 errors`. */
export const failureLines = [
  '/(?<!\\b(?:0|no|without) )\\b(?:errors?|fail(?:ed|ures?|ing)?|fatal|panic(?:ked)?|traceback|aborted|denied|refused|unhandled|uncaught|segmentation fault|core dumped|not found|no such file|cannot|could not|timed out|not ok|undefined reference)\\b(?!:? ?0\\b)/i',
  '/\\w(?:Error|Exception)\\b|\\bE(?:ACCES|ADDRINUSE|CONN[A-Z]+|EXIST|INVAL|ISDIR|MFILE|NOENT|NOMEM|NOSPC|PERM|PIPE|TIMEDOUT)\\b|^\\s*[✗✘×✖]/',
] as const;

const pageLines = 500;
/** Whoever wants more asks again from where this ended. */
const searchMsMax = 2000;

/**
 * Lines in which any of the patterns is found, the first ones first. Pages without one are passed over at once; a
 * regular expression that takes for ever is a Failure.
 */
export async function searchLines(
  view: LogView,
  patterns: readonly string[],
  { offset = 0, limit, plain }: LinesOptions,
  signal: AbortSignal,
): Promise<FoundLines> {
  const endMs = performance.now() + searchMsMax;
  const lines: string[] = [];
  const numbers: number[] = [];
  const find = finder(patterns);
  for (let at = offset; ; ) {
    const page = await view.lines({ offset: at, limit: pageLines, plain }, signal);
    const { totalLines, droppedLines } = page;
    const found = (nextOffset?: number): FoundLines => ({
      lines,
      numbers,
      offset: numbers[0] ?? offset,
      totalLines,
      droppedLines,
      ...(nextOffset !== undefined && { nextOffset }),
    });
    if (page.lines.length === 0) return found();
    for (const index of find(page.lines)) {
      if (lines.length === limit) return found(page.offset + index);
      lines.push(page.lines[index] ?? '');
      numbers.push(page.offset + index);
    }
    at = page.offset + page.lines.length;
    if (at >= totalLines) return found();
    if (performance.now() > endMs) return found(at);
    await letOthersRun();
  }
}

/** Which of these lines are meant. */
function finder(patterns: readonly string[]): (lines: readonly string[]) => Generator<number> {
  const pages = new PatternSearch(patterns);
  const each = new PatternSearch(patterns);
  const countIn = (search: PatternSearch, text: string): number => {
    const { count, failures } = search.push(Buffer.from(`${text}\n`));
    if (failures[0] !== undefined) throw failures[0];
    return count;
  };
  return function* (lines) {
    const oneRow = lines.map((line) => line.replaceAll('\n', ' '));
    let left = countIn(pages, oneRow.join('\n'));
    for (const [index, line] of oneRow.entries()) {
      if (left === 0) return;
      if (countIn(each, line) === 0) continue;
      left -= 1;
      yield index;
    }
  };
}

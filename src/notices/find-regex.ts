import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { RegexPattern } from '../diagnose/notices/pattern.js';
import { withinTime } from '../run/output/within-time.js';
import { blockFrom, type LineBlock, newlinesFound } from './line-blocks.js';

/** After this much work without a pause other work gets a turn, however many patterns there are. */
const turnMs = 10;
let turnBeganMs = 0;

interface Found {
  /** The newlines of the matching lines. For a pattern that is too slow, only the first of them. */
  newlines: number[];
  isTooSlow: boolean;
}

/** The newlines of the lines that match. A pattern is too slow when it does not get through a block in time. */
export async function findRegex(lines: Buffer, pattern: RegexPattern): Promise<Found> {
  const blocks: LineBlock[] = [];
  let searched = 0;
  /** May be interrupted anywhere. The last block is then searched again. */
  const search = () => {
    for (let from = blocks[searched - 1]?.to ?? 0; from < lines.length; searched += 1) {
      const block = blockFrom(lines, from);
      blocks[searched] = block;
      searchBlock(block, pattern);
      from = block.to;
    }
  };
  for (;;) {
    if (performance.now() - turnBeganMs > turnMs) {
      await letOthersRun();
      turnBeganMs = performance.now();
    }
    const before = searched;
    const done = withinTime(search);
    const isTooSlow = done === null && searched === before;
    if (done !== null || isTooSlow) {
      return { newlines: blocks.flatMap((block) => newlinesFound(lines, block)), isTooSlow };
    }
  }
}

/** Line ends other than the newline. */
const lineEnds = ['\r', '\u2028', '\u2029'];

function searchBlock({ text, ends }: LineBlock, { regex, over }: RegexPattern): void {
  if (over === null || lineEnds.some((end) => text.includes(end))) testEach(text, regex, ends);
  else testAtOnce(text, over, ends);
}

function testAtOnce(text: string, regex: RegExp, ends: number[]): void {
  for (let at = 0; ; ) {
    regex.lastIndex = at;
    const end = regex.test(text) ? text.indexOf('\n', regex.lastIndex) : -1;
    if (end === -1) return;
    ends.push(end);
    at = end + 1;
  }
}

function testEach(text: string, regex: RegExp, ends: number[]): void {
  for (let at = 0, end = 0; at < text.length; at = end + 1) {
    end = text.indexOf('\n', at);
    if (regex.test(text.slice(at, end > at && text[end - 1] === '\r' ? end - 1 : end))) ends.push(end);
  }
}

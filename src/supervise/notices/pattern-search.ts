import { isAscii } from 'node:buffer';
import vm from 'node:vm';
import { addToExcerpt } from '../../diagnose/notices/excerpt.js';
import { outputLinesMax } from '../../diagnose/notices/limits.js';
import { newlinesOf, unionOf } from '../../diagnose/notices/line-ends.js';
import type { Matches } from '../../diagnose/notices/match-window.js';
import { type Pattern, readPatterns, tooSlow } from '../../diagnose/notices/pattern.js';
import type { Failure } from '../../model/failure.js';
import { unfinishedBytes } from '../../model/utf8-cut.js';

/** Of a longer line only the beginning is looked at. */
const lineBytesMax = 64 * 1024;
const pieceBytesMax = 1024 * 1024;
/** For all regular expressions together on one piece of output. */
const regexMsMax = 250;
/** On a machine that gives us no CPU, time alone proves nothing. */
const starvedTriesMax = 3;

const newline = 0x0a;
const carriageReturn = 0x0d;

/** What is in a piece of output; of the lines, as many as a notice shows. */
export interface Findings extends Matches {
  /** Patterns that took too long and are not looked for any more: each is told once, the others go on. */
  failures: Failure[];
}

const nothing = (): Findings => ({ count: 0, first: null, lines: [], failures: [] });

/**
 * E2: looks for texts and regular expressions line by line, across the borders of pieces and in constant memory. What
 * is found does not depend on how the output is cut. A line ends with a newline; a return before it is no part of it.
 */
export class PatternSearch {
  #patterns: Pattern[];
  /** The beginning of the line that has not ended. */
  readonly #kept = Buffer.alloc(lineBytesMax);
  #keptBytes = 0;
  /** Where in the output that line begins, and where the next byte will be. */
  #lineAt: number;
  #at: number;
  /** It was found before its end, and does not count again. */
  #isCounted = false;
  #lookedBytes = 0;

  /** `from`: where in the output the first byte is that will be pushed. */
  constructor(patterns: readonly string[], from = 0) {
    this.#patterns = readPatterns(patterns);
    this.#lineAt = from;
    this.#at = from;
  }

  /** Whoever goes on from here, with a new search, finds what is left and nothing twice. */
  get searchedTo(): number {
    return this.#isCounted ? this.#at : this.#lineAt;
  }

  /** All lines that have ended with this. */
  push(chunk: Buffer): Findings {
    const findings = nothing();
    for (let from = 0; from < chunk.length; from += pieceBytesMax) {
      this.#pushPiece(chunk.subarray(from, from + pieceBytesMax), findings);
    }
    return findings;
  }

  /** The line that has not ended, as far as it has come: a prompt has no newline. */
  pushUnfinished(): Findings {
    const findings = nothing();
    if (this.#isCounted || this.#lookedBytes === this.#keptBytes) return findings;
    this.#lookedBytes = this.#keptBytes;
    this.#search(endedLine(this.#kept.subarray(0, this.#keptBytes), true), this.#at, findings);
    this.#isCounted = findings.count > 0;
    return findings;
  }

  #pushPiece(piece: Buffer, findings: Findings): void {
    const pieceAt = this.#at;
    const from = pieceAt > this.#lineAt ? piece.indexOf(newline) + 1 : 0;
    const to = piece.lastIndexOf(newline) + 1;
    this.#at += piece.length;
    if (from > 0) this.#endLine(piece.subarray(0, from - 1), pieceAt + from, findings);
    this.#searchLines(piece.subarray(from, to), pieceAt + from, findings);
    if (to > 0) {
      this.#lineAt = pieceAt + to;
      this.#isCounted = false;
      this.#lookedBytes = 0;
      this.#keptBytes = 0;
    }
    this.#keep(piece.subarray(to));
  }

  #endLine(rest: Buffer, end: number, findings: Findings): void {
    this.#keep(rest);
    if (this.#isCounted) return;
    const isCut = end - this.#lineAt > this.#keptBytes + 1;
    this.#search(endedLine(this.#kept.subarray(0, this.#keptBytes), isCut), end, findings);
  }

  #keep(bytes: Buffer): void {
    const length = Math.min(lineBytesMax, this.#keptBytes + bytes.length);
    bytes.copy(this.#kept, this.#keptBytes, 0, length - this.#keptBytes);
    this.#keptBytes = length;
  }

  /** Each with its newline; one that is too long is cut. */
  #searchLines(lines: Buffer, linesAt: number, findings: Findings): void {
    let from = 0;
    for (let at = 0; lines.length - at > lineBytesMax + 1; ) {
      const end = lines.lastIndexOf(newline, at + lineBytesMax);
      if (end >= at) {
        at = end + 1;
        continue;
      }
      this.#search(lines.subarray(from, at), linesAt + at, findings);
      from = lines.indexOf(newline, at + lineBytesMax) + 1;
      this.#search(endedLine(lines.subarray(at, at + lineBytesMax), true), linesAt + from, findings);
      at = from;
    }
    this.#search(lines.subarray(from), linesAt + lines.length, findings);
  }

  /** None of these lines is too long; `end`: where in the output they end. */
  #search(lines: Buffer, end: number, findings: Findings): void {
    if (lines.length === 0) return;
    const found = this.#findEach(lines, findings);
    const newlines = unionOf(found.map((one) => one.newlines));
    const [first] = newlines;
    if (first === undefined) return;
    findings.count += newlines.length;
    if (findings.lines.length < outputLinesMax) {
      const texts = newlines.slice(0, outputLinesMax).map((at) => lineBefore(lines, at));
      findings.lines = addToExcerpt(findings.lines, texts);
    }
    findings.first ??= {
      pattern: found.find((one) => one.newlines[0] === first)?.written ?? '',
      line: lineBefore(lines, first),
      end: end - lines.length + first + 1,
    };
  }

  /** For each pattern the newlines of the lines it is in. */
  #findEach(lines: Buffer, findings: Findings): { written: string; newlines: number[] }[] {
    const trial = new RegexTrial(lines);
    const found = this.#patterns.map((pattern) => ({
      written: pattern.written,
      newlines: pattern.kind === 'text' ? findText(lines, pattern.text) : trial.find(pattern.regex),
    }));
    if (trial.tooSlow.size > 0) {
      const isTooSlow = (pattern: Pattern) => pattern.kind === 'regex' && trial.tooSlow.has(pattern.regex);
      findings.failures.push(...this.#patterns.filter(isTooSlow).map(tooSlow));
      this.#patterns = this.#patterns.filter((pattern) => !isTooSlow(pattern));
    }
    return found;
  }
}

/** A text is looked for in all lines at once; only where it is, the line matters. */
function findText(lines: Buffer, text: string): number[] {
  const needle = Buffer.from(text);
  const endsInReturn = needle.at(-1) === carriageReturn;
  const newlines: number[] = [];
  for (let at = lines.indexOf(needle); at !== -1; ) {
    const end = lines.indexOf(newline, at + needle.length);
    if (!endsInReturn || at + needle.length < end) newlines.push(end);
    at = lines.indexOf(needle, end + 1);
  }
  return newlines;
}

/** Regular expressions on one piece of output. When time is up, the slowest of them has had too much of it. */
class RegexTrial {
  readonly tooSlow = new Set<RegExp>();
  readonly #lines: Buffer;
  readonly #spentMs = new Map<RegExp, number>();
  #text: string | null = null;

  constructor(lines: Buffer) {
    this.#lines = lines;
  }

  find(regex: RegExp): number[] {
    this.#text ??= this.#lines.toString(isAscii(this.#lines) ? 'latin1' : 'utf8');
    for (;;) {
      const leftMs = [...this.#spentMs.values()].reduce((left, spent) => left - spent, regexMsMax);
      const { found, tookMs, isDone } = testLines(this.#text, regex, leftMs);
      this.#spentMs.set(regex, tookMs);
      if (isDone) return newlinesOf(this.#lines, found);
      const [[slowest] = [regex]] = [...this.#spentMs].sort(([, a], [, b]) => b - a);
      this.#spentMs.delete(slowest);
      this.tooSlow.add(slowest);
      if (slowest === regex) return newlinesOf(this.#lines, found);
    }
  }
}

/** A regular expression can take for ever on one line: in a context of its own it can be interrupted. */
const makeArena = () => {
  const context = vm.createContext({ job: null });
  const testEach = `(({ text, regex, found }) => {
    for (let at = 0, index = 0; at < text.length; index++) {
      const end = text.indexOf('\\n', at);
      const isReturn = end > at && text.charCodeAt(end - 1) === ${carriageReturn};
      if (regex.test(text.slice(at, isReturn ? end - 1 : end))) found.push(index);
      at = end + 1;
    }
  })`;
  context.testEach = new vm.Script(testEach).runInContext(context);
  return { context, script: new vm.Script('testEach(job)') };
};
let arena: ReturnType<typeof makeArena> | null = null;

interface Tested {
  found: number[];
  tookMs: number;
  isDone: boolean;
}

/** The numbers of the lines that match; when it is not done, only of the first ones. */
function testLines(text: string, regex: RegExp, msMax: number): Tested {
  arena ??= makeArena();
  for (let tries = 1; ; tries++) {
    const found: number[] = [];
    const beganMs = performance.now();
    const beganCpu = process.cpuUsage();
    arena.context.job = { text, regex, found };
    try {
      arena.script.runInContext(arena.context, { timeout: Math.max(1, Math.ceil(msMax)) });
      return { found, tookMs: performance.now() - beganMs, isDone: true };
    } catch {
      const tookMs = performance.now() - beganMs;
      const { user, system } = process.cpuUsage(beganCpu);
      const isStarved = (user + system) / 1000 < msMax / 4;
      if (!isStarved || tries === starvedTriesMax) return { found, tookMs, isDone: false };
    } finally {
      arena.context.job = null;
    }
  }
}

/** With a newline, and without half of a character where it was cut. */
function endedLine(line: Buffer, isCut: boolean): Buffer {
  const whole = isCut ? line.subarray(0, line.length - unfinishedBytes(line)) : line;
  return Buffer.concat([whole, Buffer.of(newline)]);
}

function lineBefore(lines: Buffer, end: number): string {
  const from = end === 0 ? 0 : lines.lastIndexOf(newline, end - 1) + 1;
  return lines.toString('utf8', from, end > from && lines[end - 1] === carriageReturn ? end - 1 : end);
}

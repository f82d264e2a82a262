import vm from 'node:vm';
import type { RegexPattern } from '../../diagnose/notices/pattern.js';
import { LineBlocks } from './line-blocks.js';

/** For all regular expressions together on one piece of output. */
const regexMsMax = 250;
/** On a machine that gives us no CPU, time alone proves nothing. */
const starvedTriesMax = 3;

/** Regular expressions on one piece of output. When time is up, the slowest of them has had too much of it. */
export class RegexTrial {
  readonly tooSlow = new Set<RegexPattern>();
  readonly #lines: Buffer;
  readonly #spentMs = new Map<RegexPattern, number>();

  constructor(lines: Buffer) {
    this.#lines = lines;
  }

  /** The newlines of the lines it is in; of one that is too slow, only the first. */
  find(pattern: RegexPattern): number[] {
    for (;;) {
      const leftMs = [...this.#spentMs.values()].reduce((left, spent) => left - spent, regexMsMax);
      const { newlines, tookMs, isDone } = testLines(this.#lines, pattern, leftMs);
      this.#spentMs.set(pattern, tookMs);
      if (isDone) return newlines;
      const [[slowest] = [pattern]] = [...this.#spentMs].sort(([, a], [, b]) => b - a);
      this.#spentMs.delete(slowest);
      this.tooSlow.add(slowest);
      if (slowest === pattern) return newlines;
    }
  }
}

/** A regular expression can take for ever on one line: in a context of its own it can be interrupted. */
const makeArena = () => {
  const context = vm.createContext({ job: null });
  const testAll = `(({ blocks, regex, over }) => {
    for (let text = blocks.next(); text !== null; text = blocks.next()) {
      const isPlain = !['\\r', '\\u2028', '\\u2029'].some((end) => text.includes(end));
      if (over === null || !isPlain) testEach(text, regex, blocks.ends);
      else testAtOnce(text, over, blocks.ends);
    }
    function testAtOnce(text, regex, ends) {
      for (let at = 0; ; at = ends.at(-1) + 1) {
        regex.lastIndex = at;
        const end = regex.test(text) ? text.indexOf('\\n', regex.lastIndex) : -1;
        if (end === -1) return;
        ends.push(end);
      }
    }
    function testEach(text, regex, ends) {
      for (let at = 0, end = 0; at < text.length; at = end + 1) {
        end = text.indexOf('\\n', at);
        if (regex.test(text.slice(at, end > at && text[end - 1] === '\\r' ? end - 1 : end))) ends.push(end);
      }
    }
  })`;
  context.testAll = new vm.Script(testAll).runInContext(context);
  return { context, script: new vm.Script('testAll(job)') };
};
let arena: ReturnType<typeof makeArena> | null = null;

interface Tested {
  newlines: number[];
  tookMs: number;
  isDone: boolean;
}

function testLines(lines: Buffer, { regex, over }: RegexPattern, msMax: number): Tested {
  arena ??= makeArena();
  for (let tries = 1; ; tries++) {
    const blocks = new LineBlocks(lines);
    const beganMs = performance.now();
    const beganCpu = process.cpuUsage();
    arena.context.job = { blocks, regex, over };
    try {
      arena.script.runInContext(arena.context, { timeout: Math.max(1, Math.ceil(msMax)) });
      return { newlines: blocks.newlines(), tookMs: performance.now() - beganMs, isDone: true };
    } catch {
      const tookMs = performance.now() - beganMs;
      const { user, system } = process.cpuUsage(beganCpu);
      const isStarved = (user + system) / 1000 < msMax / 4;
      if (!isStarved || tries === starvedTriesMax) {
        return { newlines: blocks.newlines(), tookMs, isDone: false };
      }
    } finally {
      arena.context.job = null;
    }
  }
}

import type { RunSettings } from '../../config/run-settings.js';
import { showPattern } from '../../diagnose/notices/pattern.js';
import { type PhaseRule, phaseByRules } from '../../diagnose/progress/phase.js';
import { withinTime } from './within-time.js';

/** What the user wrote to read the output of one run: the settings `progress` and `phase`. */
export class UserPatterns {
  readonly #warn: (message: string) => void;
  #progress: RegExp | undefined;
  #phases: readonly PhaseRule[];

  /** `warn` is given what is not used any more: a pattern that takes too long would keep everything else from being done. */
  constructor({ progress, phases }: RunSettings, warn: (message: string) => void) {
    this.#progress = progress ?? undefined;
    this.#phases = phases;
    this.#warn = warn;
  }

  get hasProgress(): boolean {
    return this.#progress !== undefined;
  }

  /** Pure work with the pattern for progress; null: it is given up, and the work is to be done without it. */
  withProgress<T>(work: (pattern: RegExp) => T): { value: T } | null {
    const pattern = this.#progress;
    if (pattern === undefined) return null;
    const done = withinTime(() => work(pattern));
    if (done === null) {
      this.#progress = undefined;
      this.#warn(lostText('progress', pattern));
    }
    return done;
  }

  phase(programNames: readonly string[], lastLine: string): string | null {
    if (this.#phases.length === 0) return null;
    const tried: { rule: PhaseRule; atMs: number }[] = [];
    const testing = (rule: PhaseRule) => tried.push({ rule, atMs: performance.now() });
    const done = withinTime(() => phaseByRules(this.#phases, programNames, lastLine, testing));
    if (done !== null) return done.value;
    const endMs = performance.now();
    const tookMs = (at: number) => (tried[at + 1]?.atMs ?? endMs) - (tried[at]?.atMs ?? endMs);
    const [slowest] = [...tried.keys()].sort((a, b) => tookMs(b) - tookMs(a));
    const lost = tried[slowest ?? 0]?.rule;
    if (lost === undefined) return null;
    this.#phases = this.#phases.filter((rule) => rule !== lost);
    this.#warn(lostText(`phase ${lost.name}`, lost.pattern));
    return null;
  }
}

function lostText(setting: string, { source }: RegExp): string {
  const what = `the setting ${setting}, ${showPattern(source)}, takes too long on this output and is not used any more`;
  return `${what}: write it without nested repetition, a+ for (a+)+, in the place that unstuck config shows`;
}

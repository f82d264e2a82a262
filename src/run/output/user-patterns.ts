import type { RunSettings } from '../../config/run-settings.js';
import { showPattern } from '../../diagnose/notices/pattern.js';
import { type PhaseRule, phaseByRules } from '../../diagnose/progress/phase.js';
import { withinTime } from './within-time.js';

/** The user's patterns for the output of one run: the settings `progress` and `phase`. */
export class UserPatterns {
  readonly #warn: (message: string) => void;
  #progress: RegExp | undefined;
  #phases: readonly PhaseRule[];

  /** `warn` gets each pattern that is given up: a pattern that takes too long would block all other work. */
  constructor({ progress, phases }: RunSettings, warn: (message: string) => void) {
    this.#progress = progress ?? undefined;
    this.#phases = phases;
    this.#warn = warn;
  }

  get hasProgress(): boolean {
    return this.#progress !== undefined;
  }

  /** Pure work with the progress pattern; null: the pattern is given up, and the work has to be done without it. */
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

// The judges of one run, on the same processes at the same moments.
import type { Claim, Judge, Scene } from './judges/judge.js';
import { usualWays, type WayName } from './judges.js';
import type { Scale } from './scale.js';

export interface WayFinding {
  /** When it first called it stuck; null: never. */
  alarmMs: number | null;
  claim: Claim;
  /** Its own share of our CPU. */
  costMs: number;
}

export class Panel {
  readonly findings = new Map<WayName, WayFinding>();
  readonly #judges: [WayName, Judge][];

  constructor(names: WayName[], scale: Scale) {
    this.#judges = names.map((name) => [name, usualWays[name](scale)]);
    for (const name of names) this.findings.set(name, { alarmMs: null, claim: null, costMs: 0 });
  }

  /**
   * Of a hang that does not change, nothing more is to be heard: everybody has called it stuck, or at least the slowest,
   * after whom the others have had their time.
   */
  get hasSpoken(): boolean {
    const slowest = this.findings.get('no-output');
    const voices = slowest === undefined ? [...this.findings.values()] : [slowest];
    return voices.every(({ alarmMs }) => alarmMs !== null);
  }

  look(scene: Scene): void {
    for (const [name, judge] of this.#judges) {
      const finding = this.findings.get(name);
      if (finding === undefined) continue;
      const beganMs = performance.now();
      const claim = judge.look(scene);
      finding.costMs += performance.now() - beganMs;
      if (claim === undefined || finding.alarmMs !== null) continue;
      finding.alarmMs = scene.nowMs;
      finding.claim = claim;
    }
  }
}

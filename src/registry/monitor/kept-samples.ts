import type { TreeSample } from '../../model/run/health.js';
import { pointsMax, type SamplePoint } from '../../model/run/sample-points.js';
import type { RunDirectory } from '../../store/run-directory.js';
import { SampleFile } from '../../store/sample-file.js';

/** Points are written in blocks: one write per run and minute. A daemon that is killed loses at most a block. */
const blockPoints = 12;
/** While the disk is full, or a silent run idles, no more than this is kept in memory. */
const unwrittenMax = 10 * blockPoints;

/** The samples of one run, kept with it. They outlive the run and the daemon. */
export class KeptSamples {
  readonly #file: SampleFile;
  readonly #nowMs: () => number;
  #unwritten: SamplePoint[] = [];
  #lastMs: number | null = null;
  /** Points in the file; null: not counted yet. */
  #written: number | null = null;

  constructor(directory: RunDirectory, nowMs: () => number = Date.now) {
    this.#file = new SampleFile(directory);
    this.#nowMs = nowMs;
  }

  /** May be called often: each sample counts once. null: the run is not sampled. */
  note(sample: TreeSample | null, outputBytes: number): void {
    if (sample === null || sample.atMs === this.#lastMs) return;
    const forMs = this.#lastMs === null ? 0 : Math.max(0, Math.round(sample.atMs - this.#lastMs));
    this.#lastMs = sample.atMs;
    this.#unwritten.push({
      atMs: this.#nowMs(),
      forMs,
      cpuPercent: Math.round(sample.cpuPercent * 10) / 10,
      residentBytes: sample.residentBytes,
      ioBytes: sample.ioBytes,
      outputBytes,
    });
    const { length } = this.#unwritten;
    const isDue = length % blockPoints === 0 && !isFlat(this.#unwritten);
    if (isDue || length >= unwrittenMax) this.flush();
  }

  /** All points, oldest first. */
  read(): SamplePoint[] {
    return [...this.#file.read(), ...this.#unwritten];
  }

  flush(): void {
    if (this.#unwritten.length === 0) return;
    try {
      this.#written ??= this.#file.read().length;
      this.#file.append(this.#unwritten);
      this.#written += this.#unwritten.length;
      this.#unwritten = [];
      if (this.#written > pointsMax) this.#written = this.#file.thin();
    } catch {
      // The disk is full, or the run was removed. Plots are not worth a warning.
      this.#unwritten = this.#unwritten.slice(-unwrittenMax);
    }
  }
}

/** Nothing ran and nothing was printed: a plot loses nothing without these points. */
function isFlat(points: readonly SamplePoint[]): boolean {
  const [first] = points;
  return points.every(
    ({ cpuPercent, residentBytes, outputBytes }) =>
      cpuPercent === 0 && residentBytes === first?.residentBytes && outputBytes === first.outputBytes,
  );
}

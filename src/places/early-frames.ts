import type { Frame } from './frames.js';

/** Of one run. */
const framesMax = 64;

/**
 * A start also follows its run, so the first output comes with the answer, before anything here waits for it. It is kept
 * until then. What is dropped here has to be asked for again.
 */
export class EarlyFrames {
  readonly #runs = new Map<string, Frame[]>();

  expect(run: string): void {
    this.#runs.set(run, []);
  }

  /** It was not started. */
  forget(run: string): void {
    this.#runs.delete(run);
  }

  clear(): void {
    this.#runs.clear();
  }

  /** false: its run is not expected. */
  keep(frame: Frame): boolean {
    if (frame.kind !== 'output' && frame.kind !== 'state') return false;
    const frames = this.#runs.get(frame.run);
    if (frames === undefined) return false;
    if (frames.push(frame) > framesMax) this.#runs.delete(frame.run);
    return true;
  }

  /** null: it was not expected, or there was too much. */
  take(run: string): Frame[] | null {
    const frames = this.#runs.get(run) ?? null;
    this.#runs.delete(run);
    return frames;
  }
}

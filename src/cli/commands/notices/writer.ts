import type { GivenNotice } from '../../../control/follow-notices.js';
import { useColor } from '../../output/color.js';
import { PassingWriter } from '../../output/passing-writer.js';
import { renderNotice } from './render.js';

/** Prints notices. Only what was written may be acknowledged. */
export interface NoticesWriter {
  /** Rejects when the reader is gone. */
  lines(lines: readonly string[]): Promise<void>;
  ring(): void;
}

/** Prints to stdout; the bell goes to the terminal, wherever stdout leads. */
export class OwnWriter implements NoticesWriter {
  readonly #out = new PassingWriter(1);

  lines(lines: readonly string[]): Promise<void> {
    return this.#out.write(Buffer.from(lines.map((line) => `${line}\n`).join('')));
  }

  ring(): void {
    if (process.stderr.isTTY) process.stderr.write('\x07');
  }

  get isBlocked(): boolean {
    return this.#out.blockedMs > 0;
  }

  /** Called when the reader does not read and this process is to end. */
  giveUp(): void {
    this.#out.giveUp();
  }
}

/** A notice as the CLI prints it. */
export function shownNotice(notice: GivenNotice): string[] {
  return renderNotice(notice, {
    columns: process.stdout.isTTY ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY,
    color: useColor(),
    nowMs: Date.now(),
  });
}

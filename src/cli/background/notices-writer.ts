import type { GivenNotice } from '../../control/follow-notices.js';
import { useColor } from '../color.js';
import { PassingWriter } from '../passing-writer.js';
import { renderNotice } from './notices-render.js';

/** Where notices are printed: only what has really been written may be acknowledged. */
export interface NoticesWriter {
  /** Rejects when nobody will read it. */
  lines(lines: readonly string[]): Promise<void>;
  ring(): void;
}

/** stdout for what is printed; the bell goes to the terminal, wherever stdout goes. */
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

  /** Whoever should read does not, and we are to end. */
  giveUp(): void {
    this.#out.giveUp();
  }
}

/** As this command line shows them. */
export function shownNotice(notice: GivenNotice): string[] {
  return renderNotice(notice, {
    columns: process.stdout.isTTY ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY,
    color: useColor(),
    nowMs: Date.now(),
  });
}

import type { GivenEvent } from '../../fleet/event.js';
import { growingMs } from '../../fleet/events.js';
import { postJson } from '../../notices/webhook-target.js';
import { parseWebhookUrl, shownUrl } from '../../notices/webhook-url.js';

/** Posts events. One that is refused for itself comes again later; when nothing is taken, all wait. */
export class EventWebhook {
  readonly #url: URL;
  readonly #report: (words: string) => void;
  #failures = 0;

  /** Throws a Failure for a URL that cannot be used. */
  constructor(address: string, report: (words: string) => void) {
    this.#url = parseWebhookUrl(address);
    this.#report = report;
  }

  /** How long to wait before the next try. */
  get pauseMs(): number {
    return growingMs(Math.max(1, this.#failures));
  }

  /** `taken`; `refused`: others may be taken; `failed`: none is now. */
  async post({ event }: GivenEvent, signal: AbortSignal): Promise<'taken' | 'refused' | 'failed'> {
    const attempt = await postJson(this.#url, event, signal);
    if (signal.aborted && attempt.kind !== 'delivered') return 'failed';
    if (attempt.kind !== 'failed') this.#failures = 0;
    if (attempt.kind === 'delivered') return 'taken';
    const words = `the webhook ${shownUrl(this.#url)} has not taken an event: ${attempt.reason}`;
    if (attempt.kind === 'refused') {
      this.#report(`${words}; the event comes again`);
      return 'refused';
    }
    this.#failures += 1;
    this.#report(`${words}; next try in ${this.pauseMs / 1000} s`);
    return 'failed';
  }
}

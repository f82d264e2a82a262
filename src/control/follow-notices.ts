import { waitMsMax } from '../model/background.js';
import { Failure } from '../model/failure.js';
import type { GivenNotice } from '../model/operation-outputs.js';
import type { OperationInput, OperationOutput } from '../model/operations.js';
import { onAbort } from '../model/own-signal.js';
import { callOperation } from './client/daemon-client.js';

export type { GivenNotice };

/** The operation `notices`, however it is reached. */
export type AskNotices = (
  name: 'notices',
  input: OperationInput<'notices'>,
  options?: { signal?: AbortSignal },
) => Promise<OperationOutput<'notices'>>;

export interface NoticeFilter {
  /** Whoever reads; each has its own acknowledgements. */
  consumer?: string | undefined;
  /** Only those of a task or an owner. */
  task?: string | undefined;
  owner?: string | undefined;
}

export interface FollowNoticesOptions extends NoticeFilter {
  /** Ends it, as if there were no more. */
  signal?: AbortSignal | undefined;
  /** `auto`: a notice is acknowledged when the next one is asked for. `manual`: only by `acknowledge`. */
  ack?: 'auto' | 'manual' | undefined;
}

/** Only what was given. */
export function noticeFilter({ consumer, task, owner }: NoticeFilter): OperationInput<'notices'> {
  return {
    ...(consumer !== undefined && { consumer }),
    ...(task !== undefined && { task }),
    ...(owner !== undefined && { owner }),
  };
}

/** A number acknowledges all before it: whoever sees only some of them must not swallow the others for everybody. */
export function checkOwnConsumer({ consumer, task, owner }: NoticeFilter): void {
  if (consumer !== undefined || (task === undefined && owner === undefined)) return;
  throw new Failure(
    'bad-input',
    'acknowledging only notices of a task or an owner needs a consumer of its own: others would be swallowed',
    'name one and keep to it, such as --consumer my-bot, in the library consumer: "my-bot"',
  );
}

/** Notices as they come, for one consumer (E7). Every one is given at least once; `repeat` says that it was before. */
export class NoticeStream implements AsyncIterableIterator<GivenNotice> {
  readonly #ask: AskNotices;
  readonly #filter: OperationInput<'notices'>;
  readonly #acksItself: boolean;
  readonly #stop = new AbortController();
  readonly #letGo: () => void;
  readonly #batch: GivenNotice[] = [];
  /** The last one that was handed out, and the last one that was acknowledged. */
  #given = 0;
  #acknowledged = 0;
  #hasEnded = false;
  /** `next` may be called again before it has answered. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: FollowNoticesOptions, ask: AskNotices) {
    this.#ask = ask;
    this.#filter = noticeFilter(options);
    this.#acksItself = options.ack !== 'manual';
    if (this.#acksItself) checkOwnConsumer(options);
    this.#letGo = onAbort(options.signal, () => this.#stop.abort());
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<GivenNotice, undefined>> {
    const result = this.#turn.then(() => this.#next());
    this.#turn = result.catch(() => {});
    return result;
  }

  /** `break`, or an exception in the loop: the one that was being handled stays as it is. */
  async return(): Promise<IteratorResult<GivenNotice, undefined>> {
    this.#hasEnded = true;
    this.#letGo();
    this.#stop.abort();
    return { done: true, value: undefined };
  }

  /** Acknowledges everything up to this number; without one, all that have been handed out. Also after the end. */
  async acknowledge(seq = this.#given): Promise<void> {
    if (seq <= this.#acknowledged) return;
    await this.#ask('notices', { ...this.#filter, ack: seq, limit: 0 });
    this.#acknowledged = Math.max(this.#acknowledged, seq);
  }

  async #next(): Promise<IteratorResult<GivenNotice, undefined>> {
    const { signal } = this.#stop;
    if (this.#hasEnded) return this.return();
    try {
      // Also when the signal wants the end: whoever asks for the next one has done with this one.
      if (this.#acksItself) await this.acknowledge();
      const notice = signal.aborted ? undefined : await this.#take(signal);
      if (notice !== undefined && !signal.aborted) {
        this.#given = notice.seq;
        return { done: false, value: notice };
      }
    } catch (error) {
      if (!signal.aborted) {
        await this.return();
        throw error;
      }
    }
    return this.return();
  }

  async #take(signal: AbortSignal): Promise<GivenNotice | undefined> {
    while (this.#batch.length === 0) {
      const input = { ...this.#filter, after: this.#given, timeoutS: waitMsMax / 1000 };
      const { notices } = await this.#ask('notices', input, { signal });
      this.#batch.push(...notices);
    }
    return this.#batch.shift();
  }
}

/**
 * `for await (const notice of followNotices({ consumer: 'bot', signal })) …` The daemon may come and go meanwhile.
 */
export function followNotices(
  options: FollowNoticesOptions = {},
  ask: AskNotices = callOperation,
): NoticeStream {
  return new NoticeStream(options, ask);
}

import { Failure } from '../model/failure.js';
import type { OperationInput, OperationOutput } from '../model/operations/operations.js';
import type { GivenNotice } from '../model/operations/outputs.js';
import { onAbort } from '../model/own-signal.js';
import { waitMsMax } from '../model/run/background.js';
import { callOperation } from './client/daemon-client.js';

export type { GivenNotice };

/** The operation `notices`, called in any way. */
export type AskNotices = (
  name: 'notices',
  input: OperationInput<'notices'>,
  options?: { signal?: AbortSignal },
) => Promise<OperationOutput<'notices'>>;

export interface NoticeFilter {
  /** Name of the reader; each has its own acknowledgements. */
  consumer?: string | undefined;
  /** Only notices of this task, this owner, with this tag. */
  task?: string | undefined;
  owner?: string | undefined;
  tag?: string | undefined;
}

/** Options of `followNotices`. */
export interface FollowNoticesOptions extends NoticeFilter {
  /** Ends the stream as if there were no more notices. */
  signal?: AbortSignal | undefined;
  /** `auto`: a notice is acknowledged when the next one is asked for. `manual`: only by `acknowledge`. */
  ack?: 'auto' | 'manual' | undefined;
}

/** Drops undefined fields. */
export function noticeFilter({ consumer, task, owner, tag }: NoticeFilter): OperationInput<'notices'> {
  return {
    ...(consumer !== undefined && { consumer }),
    ...(task !== undefined && { task }),
    ...(owner !== undefined && { owner }),
    ...(tag !== undefined && { tag }),
  };
}

/** Its acknowledgements are its own, or it is given all notices. */
export function seesAll({ consumer, task, owner, tag }: NoticeFilter): boolean {
  return consumer !== undefined || (task === undefined && owner === undefined && tag === undefined);
}

/**
 * A number acknowledges all notices before it. A consumer that filters would acknowledge notices it has not seen for
 * all users of its name.
 */
export function checkOwnConsumer(filter: NoticeFilter): void {
  if (seesAll(filter)) return;
  throw new Failure(
    'bad-input',
    'acknowledging notices of one task, owner or tag needs a consumer name: without it, notices of other runs would be acknowledged unseen',
    'choose a name, such as --consumer my-bot (in the library: consumer: "my-bot"), and always use it',
  );
}

/**
 * Notices as they come, for one consumer. Each is delivered at least once; `repeat` marks one that was delivered
 * before.
 */
export class NoticeStream implements AsyncIterableIterator<GivenNotice> {
  readonly #ask: AskNotices;
  readonly #filter: OperationInput<'notices'>;
  readonly #acksItself: boolean;
  readonly #stop = new AbortController();
  readonly #release: () => void;
  readonly #batch: GivenNotice[] = [];
  /** The last notice handed out, and the last one acknowledged. */
  #given = 0;
  #acknowledged = 0;
  #hasEnded = false;
  /** Serialises concurrent calls of `next`. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: FollowNoticesOptions, ask: AskNotices) {
    this.#ask = ask;
    this.#filter = noticeFilter(options);
    this.#acksItself = options.ack !== 'manual';
    if (this.#acksItself) checkOwnConsumer(options);
    this.#release = onAbort(options.signal, () => this.#stop.abort());
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<GivenNotice, undefined>> {
    const result = this.#turn.then(() => this.#next());
    this.#turn = result.catch(() => {});
    return result;
  }

  /** Called on `break` or an exception in the loop: the current notice stays unacknowledged. */
  async return(): Promise<IteratorResult<GivenNotice, undefined>> {
    this.#hasEnded = true;
    this.#release();
    this.#stop.abort();
    return { done: true, value: undefined };
  }

  /** Acknowledges everything up to this number; default: all notices handed out. Works after the end too. */
  async acknowledge(seq = this.#given): Promise<void> {
    if (seq <= this.#acknowledged) return;
    await this.#ask('notices', { ...this.#filter, ack: seq, limit: 0 });
    this.#acknowledged = Math.max(this.#acknowledged, seq);
  }

  async #next(): Promise<IteratorResult<GivenNotice, undefined>> {
    const { signal } = this.#stop;
    if (this.#hasEnded) return this.return();
    try {
      // Also when the signal is aborted: asking for the next notice means that this one is done.
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
 * `for await (const notice of followNotices({ consumer: 'bot', signal })) …` The daemon may end and start again
 * meanwhile.
 */
export function followNotices(
  options: FollowNoticesOptions = {},
  ask: AskNotices = callOperation,
): NoticeStream {
  return new NoticeStream(options, ask);
}

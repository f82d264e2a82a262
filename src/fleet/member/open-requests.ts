import { Failure } from '../../model/failure.js';
import type { OperationName } from '../../model/operations/operations.js';
import { needOf } from '../accept.js';

/** `why` is not an operation on runs: it takes a pid too. `doctor` is about the machine. */
export type Asked = OperationName | 'why' | 'doctor';

/** `act` changes something, `look` is answered at once, `study` reads processes for seconds, `wait` lasts as long as it is told to. */
export type RequestKind = 'act' | 'look' | 'study' | 'wait';

/** Requests that are worked on at the same time: in all, and of one requester. No kind takes the room of another. */
export const rooms: Record<RequestKind, { all: number; each: number }> = {
  act: { all: 64, each: 32 },
  look: { all: 128, each: 64 },
  study: { all: 64, each: 32 },
  wait: { all: 1024, each: 256 },
};

const studies: ReadonlySet<Asked> = new Set<Asked>(['why', 'doctor', 'orphans', 'inspect']);
const waitsUnlessTold: ReadonlySet<Asked> = new Set<Asked>(['wait', 'waitMany']);

export function kindOf(name: Asked, input: unknown): RequestKind {
  if (studies.has(name)) return 'study';
  if (name !== 'why' && name !== 'doctor' && needOf[name] !== 'read') return 'act';
  const { timeoutS = waitsUnlessTold.has(name) ? undefined : 0 } = (input ?? {}) as { timeoutS?: unknown };
  return timeoutS === 0 ? 'look' : 'wait';
}

/** The login, where the server binds inboxes to it: the last word of an inbox is made anew for each request. */
export const requesterOf = (inbox: string) => inbox.slice(0, inbox.lastIndexOf('.'));

interface OpenRequest {
  kind: RequestKind;
  requester: string;
  /** Another machine chose it: not unique. */
  requestId: string;
  controller: AbortController;
}

/** The requests of other machines that are worked on. */
export class OpenRequests {
  readonly #open = new Map<number, OpenRequest>();
  #last = 0;

  /** Throws a Failure when there is no room for it. */
  take(
    name: Asked,
    { input, requestId }: { input: unknown; requestId: string },
    inbox: string,
  ): { number: number; signal: AbortSignal } {
    const kind = kindOf(name, input);
    const requester = requesterOf(inbox);
    const same = [...this.#open.values()].filter((one) => one.kind === kind);
    const { all, each } = rooms[kind];
    if (same.length >= all) throw busy(kind, same.length, '');
    const own = same.filter((one) => one.requester === requester).length;
    if (own >= each) throw busy(kind, own, ' of this client');
    const number = ++this.#last;
    const controller = new AbortController();
    this.#open.set(number, { kind, requester, requestId, controller });
    return { number, signal: controller.signal };
  }

  done(number: number): void {
    this.#open.delete(number);
  }

  cancel(requestId: unknown): void {
    for (const open of this.#open.values()) if (open.requestId === requestId) open.controller.abort();
  }

  /** Its requester is gone: the answer would not be read. */
  abandon(number: number): void {
    this.#open.get(number)?.controller.abort();
  }

  abandonAll(): void {
    for (const { controller } of this.#open.values()) controller.abort();
  }
}

const words: Record<RequestKind, string> = { act: 'acts', look: 'looks', study: 'checks', wait: 'waits' };

const busy = (kind: RequestKind, count: number, whose: string) =>
  new Failure('busy', `it is busy: ${count} ${words[kind]}${whose} are in progress`, 'try again in a moment');

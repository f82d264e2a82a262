import type { Msg, Subscription } from '@nats-io/transport-node';
import { Failure } from '../../model/failure.js';
import { fleetOperations, refusal } from '../accept.js';
import { loadNats } from '../connect.js';
import { inboxPrefixFor, isInbox, newInbox } from '../inbox.js';
import {
  cutAnswer,
  type FleetAnswer,
  type FleetRequest,
  failureAnswer,
  parseJson,
  parseRequest,
  partHeader,
  workingEveryMs,
  workingHeader,
} from '../wire.js';
import { inputFromOutside, requestIdFromOutside } from './from-outside.js';
import type { MemberContext } from './member-context.js';
import { type Asked, OpenRequests } from './open-requests.js';

const headerBytes = 512;
/** Status of the server for a message without a subscriber. */
const noReaders = 503;

/** Answers operations of other machines, as a service that `nats micro ls` lists. */
export class FleetService {
  readonly #context: MemberContext;
  readonly #open = new OpenRequests();
  /** The server answers here when an inbox has no subscriber any more. */
  readonly #unread: string;
  #subscriptions: Subscription[] = [];
  #stop: () => Promise<unknown> = async () => {};

  constructor(context: MemberContext) {
    this.#context = context;
    this.#unread = newInbox(inboxPrefixFor(context.membership.login.user));
  }

  async begin(): Promise<void> {
    const { Svcm } = await import('../nats.js');
    const { connection, names, membership } = this.#context;
    const { name: host, fleet } = membership;
    const service = await new Svcm(connection).add({
      name: 'unstuck',
      version: __UNSTUCK_VERSION__,
      description: 'what runs on a host, whether it is stuck, and why',
      metadata: { host, fleet },
      queue: '',
    });
    this.#stop = () => service.stop();
    for (const name of [...fleetOperations, 'why', 'doctor'] as const) {
      service.addEndpoint(name, {
        subject: names.operation(host, name),
        handler: (error, message) => {
          // An answer that cannot be sent is asked for again by the client.
          if (error === null) this.#take(name, message).catch(() => {});
        },
      });
    }
    const cancels = connection.subscribe(names.cancel(host), {
      callback: (error, message) => {
        if (error !== null) return;
        const { requestId } = (parseJson(message.data) ?? {}) as { requestId?: unknown };
        this.#open.cancel(requestId);
      },
    });
    const unread = connection.subscribe(`${this.#unread}.*`, {
      callback: (error, message) => {
        if (error === null && message.headers?.code === noReaders)
          this.#open.abandon(Number(message.subject.slice(this.#unread.length + 1)));
      },
    });
    this.#subscriptions = [cancels, unread];
  }

  /** The end of the service is not waited for: in the library it never comes when the connection is lost meanwhile. */
  end(): void {
    this.#open.abandonAll();
    for (const subscription of this.#subscriptions) subscription.unsubscribe();
    void this.#stop();
  }

  async #take(name: Asked, message: Msg): Promise<void> {
    if (isInbox(message.reply))
      await this.#respond(message, await this.#answer(name, message, message.reply));
  }

  async #answer(name: Asked, message: Msg, inbox: string): Promise<FleetAnswer> {
    const { name: host, accept } = this.#context.membership;
    try {
      const request = parseRequest(message.data);
      const isOperation = name !== 'why' && name !== 'doctor';
      const refused = isOperation ? refusal(host, accept, name, request.input) : null;
      if (refused !== null) return failureAnswer(refused);
      const { number, signal } = this.#open.take(name, request, inbox);
      const working = setInterval(() => this.#sayWorking(message, number).catch(() => {}), workingEveryMs);
      try {
        return await this.#work(name, request, signal);
      } finally {
        clearInterval(working);
        this.#open.done(number);
      }
    } catch (error) {
      if (error instanceof Failure) return failureAnswer(error);
      return {
        status: 500,
        body: { error: { code: 'internal', message: (error as Error).message, hint: '' } },
      };
    }
  }

  async #work(name: Asked, { input, requestId }: FleetRequest, signal: AbortSignal): Promise<FleetAnswer> {
    const { runs } = this.#context;
    if (name === 'why' || name === 'doctor') return await runs[name](input, signal);
    const request = { requestId: requestIdFromOutside(requestId), signal };
    return await runs.answer(name, inputFromOutside(name, input), request);
  }

  async #sayWorking(message: Msg, number: number): Promise<void> {
    const { headers } = await loadNats();
    const marked = headers();
    marked.set(workingHeader, '1');
    message.respond(new Uint8Array(), { headers: marked, reply: `${this.#unread}.${number}` });
  }

  async #respond(message: Msg, answer: FleetAnswer): Promise<void> {
    const { headers } = await loadNats();
    const { connection } = this.#context;
    const bytesMax = (connection.info?.max_payload ?? 1024 * 1024) - headerBytes;
    const parts = cutAnswer(answer, bytesMax);
    for (const [index, part] of parts.entries()) {
      const marked = headers();
      marked.set(partHeader, `${index}/${parts.length}`);
      message.respond(part, { headers: marked });
      // A large answer must not fill the memory of a slow connection.
      if (index % 8 === 7) await Promise.race([connection.flush(), connection.closed()]);
    }
  }
}

import type { Msg, Subscription } from '@nats-io/transport-node';
import { Failure } from '../../model/failure.js';
import type { OperationName } from '../../model/operations/operations.js';
import { fleetOperations, refusal } from '../accept.js';
import { loadNats } from '../connect.js';
import { isInbox } from '../inbox.js';
import {
  cutAnswer,
  type FleetAnswer,
  failureAnswer,
  parseJson,
  parseRequest,
  partHeader,
  workingEveryMs,
  workingHeader,
} from '../wire.js';
import { inputFromOutside, requestIdFromOutside } from './from-outside.js';
import type { MemberContext } from './member-context.js';

/** `why` is no operation on runs: it takes a pid too. `doctor` is about the machine. */
type Asked = OperationName | 'why' | 'doctor';

/** Requests of other machines that are worked on at the same time. */
const openMax = 256;
const headerBytes = 512;

/** Answers operations of other machines, as a service that `nats micro ls` lists. */
export class FleetService {
  readonly #context: MemberContext;
  /** By the id of the request, which another machine chose: not unique. */
  readonly #open = new Map<AbortController, string>();
  #cancels: Subscription | null = null;
  #stop: () => Promise<unknown> = async () => {};

  constructor(context: MemberContext) {
    this.#context = context;
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
    this.#cancels = connection.subscribe(names.cancel(host), {
      callback: (error, message) => {
        if (error !== null) return;
        const { requestId } = (parseJson(message.data) ?? {}) as { requestId?: unknown };
        for (const [controller, id] of this.#open) if (id === requestId) controller.abort();
      },
    });
  }

  /** The end of the service is not waited for: in the library it never comes when the connection is lost meanwhile. */
  end(): void {
    for (const controller of this.#open.keys()) controller.abort();
    this.#cancels?.unsubscribe();
    void this.#stop();
  }

  async #take(name: Asked, message: Msg): Promise<void> {
    if (!isInbox(message.reply)) return;
    const working = setInterval(() => this.#sayWorking(message).catch(() => {}), workingEveryMs);
    try {
      await this.#respond(message, await this.#work(name, message));
    } finally {
      clearInterval(working);
    }
  }

  async #work(name: Asked, message: Msg): Promise<FleetAnswer> {
    const { membership, runs } = this.#context;
    const controller = new AbortController();
    try {
      const { input, requestId } = parseRequest(message.data);
      const { name: host, accept } = membership;
      const isOperation = name !== 'why' && name !== 'doctor';
      const refused = isOperation ? refusal(host, accept, name, input) : null;
      if (refused !== null) return failureAnswer(refused);
      if (this.#open.size >= openMax) return failureAnswer(tooMany(host));
      this.#open.set(controller, requestId);
      const { signal } = controller;
      if (!isOperation) return await runs[name](input, signal);
      const request = { requestId: requestIdFromOutside(requestId), signal };
      return await runs.answer(name, inputFromOutside(name, input), request);
    } catch (error) {
      if (error instanceof Failure) return failureAnswer(error);
      return {
        status: 500,
        body: { error: { code: 'internal', message: (error as Error).message, hint: '' } },
      };
    } finally {
      this.#open.delete(controller);
    }
  }

  async #sayWorking(message: Msg): Promise<void> {
    const { headers } = await loadNats();
    const marked = headers();
    marked.set(workingHeader, '1');
    message.respond(new Uint8Array(), { headers: marked });
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

const tooMany = (host: string) =>
  new Failure('host-away', `${host} works on ${openMax} requests already`, 'try again in a moment');

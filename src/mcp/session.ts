import { background } from '../control/background.js';
import { leaseOwner } from '../control/lease-owner.js';
import type { OperationInput } from '../control/operations/table.js';
import { sessionName } from '../control/session-name.js';
import { Failure } from '../model/failure.js';
import { Slots } from '../model/slots.js';
import { type CommandRules, checkCommand } from './command-rules.js';
import { PendingNotices } from './pending-notices.js';

/** What happens to the runs of a client that is gone: they lose their owner, are stopped, or get another owner. */
export type WhenGone = 'keep' | 'stop' | { giveTo: string };

type Lease = NonNullable<OperationInput<'start'>['lease']>;

export interface McpOptions extends CommandRules {
  whenGone: WhenGone;
  /** Concurrent runs of one client. */
  maxRuns: number;
  /** Owner of the runs; without it, a name for this client while it lives. */
  owner?: string | undefined;
}

/** More calls at once would only wait for each other in the daemon. */
const callsAtOnceMax = 64;
const waitsAtOnceMax = 256;
/** A client that ends kills this server soon after. */
const endMsMax = 20_000;

/** One client, from its first message to its last. */
export class Session {
  readonly options: McpOptions;
  readonly calls = new Slots(callsAtOnceMax);
  #owner: string | null = null;
  #notices: PendingNotices | null = null;
  #starting = 0;
  #waits = 0;

  constructor(options: McpOptions) {
    this.options = options;
    if (options.owner !== undefined) this.#owner = options.owner;
  }

  /** The first name that the client sends is kept. */
  setClientName(clientName: string): void {
    this.#owner ??= `${clientName.replace(/[^\w.@+-]+/g, '-').slice(0, 40) || 'client'}.${sessionName()}`;
  }

  /** Also the name under which output is read and notices are consumed. */
  get owner(): string {
    if (this.#owner === null) this.setClientName('client');
    return this.#owner as string;
  }

  get notices(): PendingNotices {
    this.#notices ??= new PendingNotices(this.owner);
    return this.#notices;
  }

  /** A daemon that cannot see the client, as in another pid namespace, starts the run without a lease. */
  async startLeased<T>(start: (tie: { lease?: Lease }) => Promise<T>): Promise<T> {
    const lease = this.#lease();
    if (lease === null) return start({});
    return start({ lease }).catch((error: unknown) => {
      if (error instanceof Failure && error.code === 'no-such-process') return start({});
      throw error;
    });
  }

  /** `all`: of any owner. */
  scope(all: boolean | undefined): { owner?: string } {
    return all ? {} : { owner: this.owner };
  }

  /** Starts a run if the command is allowed and the client has not too many runs. */
  async startAllowed<T>(command: string | readonly string[], start: () => Promise<T>): Promise<T> {
    checkCommand(this.options, command);
    return this.#startInLimit(null, start);
  }

  /** Starts a run again if its command is allowed: one that this client started is. */
  async startAgain<T>(id: string, start: () => Promise<T>): Promise<T> {
    const { allow, deny } = this.options;
    const { runs } = await background.list({ owner: this.owner });
    if (allow.length + deny.length > 0 && !runs.some((run) => run.id === id)) {
      throw new Failure(
        'not-yours',
        `only some commands are allowed here, and ${id} was not started by this client`,
        'start its command with the tool start, or restart a run of your own',
      );
    }
    return this.#startInLimit(id, start);
  }

  /** `replaced`: a run that ends first; null: none. */
  async #startInLimit<T>(replaced: string | null, start: () => Promise<T>): Promise<T> {
    this.#starting += 1;
    try {
      const { maxRuns } = this.options;
      const { runs: running } = await background.list({ owner: this.owner, status: 'running' });
      const runs = running.filter(({ id }) => id !== replaced);
      // This call is counted in #starting.
      const others = this.#starting - 1;
      if (runs.length + others >= maxRuns) {
        const starting = others === 0 ? '' : ` and ${others} more are starting`;
        throw new Failure(
          'too-large',
          `${runs.length} runs of this client are running${starting}, and the limit is ${maxRuns}`,
          'stop one: process {"action":"kill","id":…}, or wait until one ends',
        );
      }
      return await start();
    } finally {
      this.#starting -= 1;
    }
  }

  async wait<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waits >= waitsAtOnceMax) {
      throw new Failure('too-large', `${this.#waits} waits are in progress`, 'wait until one of them ends');
    }
    this.#waits += 1;
    try {
      return await work();
    } finally {
      this.#waits -= 1;
    }
  }

  /** Called when the client is gone; returns what happened to its runs. */
  async end(): Promise<string | null> {
    // The client has called no tool.
    if (this.#notices === null) return null;
    const { whenGone, owner } = this.options;
    const options = { signal: AbortSignal.timeout(endMsMax) };
    if (whenGone === 'stop') {
      const { runs, errors } = await background.killAll({ owner: this.owner }, options);
      const [first] = errors;
      if (first !== undefined) return `${errors.length} runs of ${this.owner} live on: ${first.message}`;
      return runs.length === 0 ? null : `stopped ${runs.length} runs of ${this.owner}`;
    }
    // A name given with --owner outlives the client.
    if (whenGone === 'keep' && owner !== undefined) return null;
    const to = whenGone === 'keep' ? null : whenGone.giveTo;
    const { ids } = await background.handOver({ from: this.owner, to }, options);
    return ids.length === 0
      ? null
      : `${ids.length} runs of ${this.owner} now ${to === null ? 'have no owner' : `belong to ${to}`}`;
  }

  /** What `end` does, in case this server is killed: then the daemon does it when the client is gone. */
  #lease(): Lease | null {
    const { whenGone, owner } = this.options;
    if (whenGone === 'stop') return { ...clientProcess(), whenGone };
    if (whenGone === 'keep' && owner !== undefined) return null;
    const to = whenGone === 'keep' ? null : whenGone.giveTo;
    return { ...clientProcess(), whenGone: 'keep', handOver: { from: this.owner, to } };
  }
}

/** The parent process; where it has no pid, as in another pid namespace, this process stands in for it. */
function clientProcess(): { pid: number; startTicks?: number } {
  try {
    return leaseOwner('parent');
  } catch {
    return { pid: process.pid };
  }
}

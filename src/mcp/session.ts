import { background } from '../control/background.js';
import { leaseOwner } from '../control/lease-owner.js';
import type { OperationInput } from '../control/operations/table.js';
import { sessionName } from '../control/session-name.js';
import { Failure } from '../model/failure.js';
import { Slots } from '../model/slots.js';
import { type CommandRules, checkCommand } from './command-rules.js';
import { PendingNotices } from './pending-notices.js';

/** What becomes of the runs of a client that is gone: left to nobody, stopped, or given to somebody. */
export type WhenGone = 'keep' | 'stop' | { giveTo: string };

type Lease = NonNullable<OperationInput<'start'>['lease']>;

export interface McpOptions extends CommandRules {
  whenGone: WhenGone;
  /** Runs of one client at the same time. */
  maxRuns: number;
  /** Whose the runs are; without it the client's, as long as it lives. */
  owner?: string | undefined;
}

/** More at once only wait for each other in the daemon. */
const callsAtOnceMax = 64;
const waitsAtOnceMax = 256;
/** A client that goes kills us soon after. */
const goodbyeMsMax = 20_000;

/** One client, from its first word to its last. */
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

  /** Whoever calls says its name; what it said first holds. */
  greet(clientName: string): void {
    this.#owner ??= `${clientName.replace(/[^\w.@+-]+/g, '-').slice(0, 40) || 'client'}.${sessionName()}`;
  }

  /** Also its name as a reader of output and as a consumer of notices. */
  get owner(): string {
    if (this.#owner === null) this.greet('client');
    return this.#owner as string;
  }

  get notices(): PendingNotices {
    this.#notices ??= new PendingNotices(this.owner);
    return this.#notices;
  }

  /** A daemon that cannot see the client, as from another pid namespace, starts it all the same. */
  async startLeased<T>(start: (tie: { lease?: Lease }) => Promise<T>): Promise<T> {
    const lease = this.#lease();
    if (lease === null) return start({});
    return start({ lease }).catch((error: unknown) => {
      if (error instanceof Failure && error.code === 'no-such-process') return start({});
      throw error;
    });
  }

  /** `all`: whosever it is. */
  scope(all: boolean | undefined): { owner?: string } {
    return all ? {} : { owner: this.owner };
  }

  /** Starts something, if this client may: its command is allowed, and it has not too many. */
  async mayStart<T>(command: string | readonly string[], start: () => Promise<T>): Promise<T> {
    checkCommand(this.options, command);
    this.#starting += 1;
    try {
      const { maxRuns } = this.options;
      const { runs } = await background.list({ owner: this.owner, status: 'running' });
      // We are one of them.
      const others = this.#starting - 1;
      if (runs.length + others >= maxRuns) {
        const starting = others === 0 ? '' : ` and ${others} more are just being started`;
        throw new Failure(
          'too-large',
          `${runs.length} runs of this client are running${starting}, and ${maxRuns} may run at the same time`,
          'stop one with kill, or wait until one ends',
        );
      }
      return await start();
    } finally {
      this.#starting -= 1;
    }
  }

  async wait<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waits >= waitsAtOnceMax) {
      throw new Failure('too-large', `${this.#waits} waits are under way`, 'let one of them end first');
    }
    this.#waits += 1;
    try {
      return await work();
    } finally {
      this.#waits -= 1;
    }
  }

  /** The client is gone; says what became of its runs. */
  async end(): Promise<string | null> {
    // Nobody ever asked for anything.
    if (this.#notices === null) return null;
    const { whenGone, owner } = this.options;
    const options = { signal: AbortSignal.timeout(goodbyeMsMax) };
    if (whenGone === 'stop') {
      const { runs } = await background.killAll({ owner: this.owner }, options);
      return runs.length === 0 ? null : `stopped ${runs.length} runs of ${this.owner}`;
    }
    // A name that was chosen outlives the one who has it.
    if (whenGone === 'keep' && owner !== undefined) return null;
    const to = whenGone === 'keep' ? null : whenGone.giveTo;
    const { ids } = await background.handOver({ from: this.owner, to }, options);
    return ids.length === 0 ? null : `${ids.length} runs of ${this.owner} now belong to ${to ?? 'nobody'}`;
  }

  /** What `end` does, for the case that we are killed and cannot: the daemon does it when the client is gone. */
  #lease(): Lease | null {
    const { whenGone, owner } = this.options;
    if (whenGone === 'stop') return { ...clientProcess(), whenGone };
    if (whenGone === 'keep' && owner !== undefined) return null;
    const to = whenGone === 'keep' ? null : whenGone.giveTo;
    return { ...clientProcess(), whenGone: 'keep', handOver: { from: this.owner, to } };
  }
}

/** Whoever started us, and is there; where it has no number, as in another pid namespace, we stand for it. */
function clientProcess(): { pid: number; startTicks?: number } {
  try {
    return leaseOwner('parent');
  } catch {
    return { pid: process.pid };
  }
}

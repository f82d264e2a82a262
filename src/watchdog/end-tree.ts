import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessIdentity } from '../model/facts/identity.js';
import type { Receipt } from '../model/run/receipt.js';
import { Slots } from '../model/slots.js';
import type { Ending } from '../model/watchdog.js';
import { MemberScan } from '../probe/members.js';
import { type Addressee, createSender, type Send } from '../run/stop/send-signal.js';
import { type MemberSource, terminate } from '../run/stop/terminate.js';
import { type Ask, askFor } from './ask-for.js';

export interface EndTreeOptions {
  graceMs: number;
  /** Asks the process to end in the caller's own way, instead of SIGTERM. */
  ask: Ask | null;
  send?: Send;
}

type Answer = Pick<Ending, 'asked' | 'trouble'>;

const notAsked: Answer = { asked: false, trouble: null };

/** Each ending scans the whole machine several times a second. The rest waits. */
const endingsAtOnceMax = 32;

const slots = new Slots(endingsAtOnceMax);

/** The poll interval while the caller's own way takes effect. */
const pollMs = 20;

/** TERM, grace, KILL for a whole tree. It can be cancelled at any moment. */
export class TreeEnding {
  readonly done: Promise<Ending>;
  readonly #leader: ProcessIdentity;
  readonly #options: EndTreeOptions;
  readonly #send: Send;
  readonly #frozen = new Map<string, Addressee>();
  readonly #off = new AbortController();

  constructor(leader: ProcessIdentity, options: EndTreeOptions) {
    this.#leader = leader;
    this.#options = options;
    this.#send = options.send ?? createSender(null);
    this.done = slots.use(() => this.#end());
  }

  /** Nothing is sent once this has returned. Processes that were frozen for the kill are continued. */
  cancel(): void {
    if (this.#off.signal.aborted) return;
    this.#off.abort();
    for (const member of this.#frozen.values()) this.#send(member, 'SIGCONT');
  }

  async #end(): Promise<Ending> {
    const { graceMs, ask } = this.#options;
    const scan = this.#scanWhileOn(new MemberScan({ runId: null, leader: this.#leader, shim: null }));
    const answer = ask === null ? notAsked : await this.#askFirst(scan, ask);
    const receipt = await terminate({
      scan,
      signal: answer.asked && answer.trouble === null ? 'SIGKILL' : 'SIGTERM',
      graceMs,
      abort: this.#off.signal,
      send: this.#sendWhileOn,
    });
    return { ...this.#result(receipt), ...answer, receipt };
  }

  /** After a cancel, no process is left to be ended. */
  #scanWhileOn(scan: MemberSource): MemberSource {
    const { signal } = this.#off;
    return {
      shim: scan.shim,
      get isWhole() {
        return signal.aborted || scan.isWhole;
      },
      scan: (options) => (signal.aborted ? [] : scan.scan(options)),
    };
  }

  readonly #sendWhileOn: Send = (to, signal) => {
    if (this.#off.signal.aborted) return 'refused';
    const outcome = this.#send(to, signal);
    const key = `${to.pid} ${to.startTicks}`;
    if (outcome === 'sent' && signal === 'SIGSTOP') this.#frozen.set(key, to);
    if (outcome === 'sent' && signal === 'SIGKILL') this.#frozen.delete(key);
    return outcome;
  };

  /**
   * The members of the tree are read before the caller's function runs. If the function fails, the tree gets a signal.
   */
  async #askFirst(scan: MemberSource, ask: Ask): Promise<Answer> {
    const { graceMs } = this.#options;
    const isOver = () => scan.scan({ fresh: 'members' }).every(({ ended }) => ended);
    scan.scan({ fresh: true });
    if (isOver()) return notAsked;
    const untilMs = performance.now() + graceMs;
    const answer: Answer = { asked: true, trouble: null };
    void askFor(ask, graceMs).then((trouble) => {
      answer.trouble = trouble;
    });
    const isDone = () => this.#off.signal.aborted || answer.trouble !== null || performance.now() >= untilMs;
    while (!isDone() && !isOver()) await delay(pollMs);
    return answer;
  }

  #result({ processes }: Receipt): Pick<Ending, 'signal' | 'isGone'> {
    const { pid, startTicks } = this.#leader;
    const entry = processes.find((process) => process.pid === pid && process.startTicks === startTicks);
    if (entry === undefined) return { signal: null, isGone: true };
    if (entry.result !== 'ended') return { signal: null, isGone: false };
    const last = entry.signals.findLast((signal) => signal === 'SIGTERM' || signal === 'SIGKILL');
    return { signal: last === 'SIGTERM' || last === 'SIGKILL' ? last : null, isGone: true };
  }
}

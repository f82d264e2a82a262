import type { ReceiptEntry } from '../../model/run/receipt.js';
import type { Member } from '../../probe/members.js';
import type { SendOutcome } from './send-signal.js';

/** The longest wait for a freeze. After it the known processes are killed, then the rest is frozen. */
const freezeMsMax = 1000;
/** From the end of the grace to the last attempt. */
const killMsMax = 10_000;
/** Time for the last processes to end: a killed process needs a CPU for that, which may be scarce. */
const lastMs = 5000;
const pollMsMin = 1;
const pollMsMax = 50;
/** A child may be forked between the process list and the stop of its parent, so a single poll is not a proof. */
const calmSnapshotsNeeded = 2;

export interface PlanOptions {
  signal: NodeJS.Signals;
  graceMs: number;
}

export interface Order {
  member: Member;
  signal: NodeJS.Signals;
}

/** What to do now, and when and how to poll again. */
export interface Move {
  orders: Order[];
  waitMs: number;
  fresh: true | 'members';
  done: boolean;
}

interface Tracked {
  /** From the first poll that showed it. */
  readonly member: Member;
  readonly signals: string[];
  /** Signals that need not be sent again. */
  readonly settled: Set<string>;
  trouble: 'not-permitted' | 'identity-unproven' | null;
}

/**
 * How a tree is stopped: every process gets the signal and the grace to end, is frozen until no new process appears,
 * and is killed. The plan decides from polls of the tree. It reads nothing and sends nothing.
 */
export class TerminationPlan {
  /** Polls until no new process was found. */
  rounds = 1;
  readonly #options: PlanOptions;
  readonly #tracked = new Map<string, Tracked>();
  #live: Tracked[] = [];
  #phase: 'ask' | 'freeze' | 'kill' = 'ask';
  #phaseSinceMs = 0;
  /** null: no process was signalled yet. The grace begins then, because the first poll may have to wait for others. */
  #askedMs: number | null = null;
  #killUntilMs = Number.POSITIVE_INFINITY;
  #calmSnapshots = 0;
  /** A fresh poll is repeated: a process that is gone may have left a child that started after the poll began. */
  #isFresh = false;

  constructor(options: PlanOptions) {
    this.#options = options;
  }

  /**
   * `members` is the result of the requested poll; the first poll is fresh. `hurry` ends the grace. `isWhole`: no
   * process was left out because it could not be read.
   */
  next(members: readonly Member[], nowMs: number, hurry: boolean, isWhole = true): Move {
    const news = this.#track(members);
    if (news) this.rounds += 1;
    if (this.#phase === 'ask' && (hurry || this.#isGraceOver(nowMs))) {
      this.#killUntilMs = nowMs + killMsMax;
      this.#enter('freeze', nowMs);
    }
    if (this.#phase === 'kill' && news && nowMs < this.#killUntilMs) this.#enter('freeze', nowMs);
    const move = this.#live.length === 0 ? this.#atEnd(isWhole) : this.#step(members, news, nowMs);
    this.#isFresh = move.fresh === true;
    return move;
  }

  /** Records the outcome of an order. `ignored`: the process ignores the signal, and it is sent again at each poll. */
  note({ member, signal }: Order, outcome: SendOutcome | 'ignored'): void {
    const tracked = this.#tracked.get(keyOf(member));
    if (tracked === undefined) return;
    const isSent = outcome === 'sent' || outcome === 'ignored';
    if (outcome !== 'unproven' && outcome !== 'ignored') tracked.settled.add(signal);
    if (isSent && !tracked.signals.includes(signal)) tracked.signals.push(signal);
    if (isSent || outcome === 'gone') tracked.trouble = null;
    else tracked.trouble = outcome === 'unproven' ? 'identity-unproven' : 'not-permitted';
  }

  /** Every process that was ever seen, and its result as of the last poll. */
  results(): { member: Member; signals: string[]; result: ReceiptEntry['result'] }[] {
    const live = new Set(this.#live);
    return [...this.#tracked.values()].map((tracked) => ({
      member: tracked.member,
      signals: tracked.signals,
      result: live.has(tracked) ? (tracked.trouble ?? 'survived') : 'ended',
    }));
  }

  #track(members: readonly Member[]): boolean {
    const before = this.#tracked.size;
    this.#live = [];
    for (const member of members) {
      const key = keyOf(member);
      if (!this.#tracked.has(key)) {
        // A process that had ended when first seen needs no receipt.
        if (member.ended) continue;
        this.#tracked.set(key, { member, signals: [], settled: new Set(), trouble: null });
      }
      const tracked = this.#tracked.get(key);
      if (tracked !== undefined && !member.ended) this.#live.push(tracked);
    }
    return this.#tracked.size > before;
  }

  #isGraceOver(nowMs: number): boolean {
    const { signal, graceMs } = this.#options;
    return signal === 'SIGKILL' || (this.#askedMs !== null && nowMs >= this.#askedMs + graceMs);
  }

  #enter(phase: 'freeze' | 'kill', nowMs: number): void {
    this.#phase = phase;
    this.#phaseSinceMs = nowMs;
    this.#calmSnapshots = 0;
  }

  /** Only a poll that could read every process proves that none is left. */
  #atEnd(isWhole: boolean): Move {
    const done = this.#isFresh && isWhole;
    return { orders: [], waitMs: isWhole ? 0 : pollMsMax, fresh: true, done };
  }

  #step(members: readonly Member[], news: boolean, nowMs: number): Move {
    if (this.#phase === 'ask') return this.#ask(members, nowMs);
    if (this.#phase === 'freeze') {
      const move = this.#stop(members, news, nowMs);
      if (move !== null) return move;
      this.#enter('kill', nowMs);
    }
    return this.#kill(nowMs);
  }

  #ask(members: readonly Member[], nowMs: number): Move {
    const { signal, graceMs } = this.#options;
    if (this.#askedMs === null) this.#phaseSinceMs = nowMs;
    this.#askedMs ??= nowMs;
    const stopped = new Set(members.filter(({ state }) => state === 'T').map(keyOf));
    // A stopped process has the signal pending and handles it once it continues.
    const deaf = this.#live.filter(
      ({ member, signals }) => stopped.has(keyOf(member)) && signals.includes(signal),
    );
    const orders = [...due(this.#live, signal).sort(oldestFirst), ...due(deaf, 'SIGCONT')];
    const leftMs = Math.max(0, this.#askedMs + graceMs - nowMs);
    return { orders, waitMs: Math.min(this.#pollMs(nowMs), leftMs), fresh: 'members', done: false };
  }

  /** null: every process is frozen, or the time is over. */
  #stop(members: readonly Member[], news: boolean, nowMs: number): Move | null {
    const reachable = this.#live.filter(({ trouble }) => trouble !== 'not-permitted');
    const keys = new Set(reachable.map(({ member }) => keyOf(member)));
    const allStill = members.every((member) => isStill(member) || !keys.has(keyOf(member)));
    const orders = due(reachable, 'SIGSTOP').sort(oldestFirst);
    this.#calmSnapshots = !news && orders.length === 0 && allStill ? this.#calmSnapshots + 1 : 0;
    const untilMs = Math.min(this.#phaseSinceMs + freezeMsMax, this.#killUntilMs);
    if (this.#calmSnapshots >= calmSnapshotsNeeded || nowMs >= untilMs) return null;
    const waitMs = orders.length > 0 || this.#calmSnapshots > 0 ? 0 : this.#pollMs(nowMs);
    return { orders, waitMs, fresh: 'members', done: false };
  }

  #kill(nowMs: number): Move {
    // Children before their parents: the end of a parent may wake a stopped group (SIGHUP and SIGCONT).
    const orders = due(this.#live, 'SIGKILL').sort((a, b) => oldestFirst(b, a));
    const hopeless = orders.length === 0 && this.#live.every(({ trouble }) => trouble === 'not-permitted');
    const done = (hopeless && this.#isFresh) || nowMs >= this.#killUntilMs + lastMs;
    const waitMs = this.#pollMs(nowMs);
    // While some processes take long to end, there is time for a full scan.
    const fresh = hopeless || waitMs === pollMsMax ? true : 'members';
    return { orders, waitMs, fresh, done };
  }

  /** Polls often at first, when most trees end. */
  #pollMs(nowMs: number): number {
    return Math.min(pollMsMax, Math.max(pollMsMin, (nowMs - this.#phaseSinceMs) / 4));
  }
}

function due(among: readonly Tracked[], signal: NodeJS.Signals): Order[] {
  return among.filter(({ settled }) => !settled.has(signal)).map(({ member }) => ({ member, signal }));
}

function keyOf({ pid, startTicks }: Member): string {
  return `${pid} ${startTicks}`;
}

function oldestFirst({ member: a }: Order, { member: b }: Order): number {
  return a.startTicks - b.startTicks || a.pid - b.pid;
}

/** With SIGSTOP pending: stopped, or in a call from which it returns only to stop. */
function isStill({ state }: Member): boolean {
  return state !== 'R' && state !== 'S';
}

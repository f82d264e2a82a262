import type { ProcessIdentity } from '../../model/facts/identity.js';
import { knownValue } from '../../model/facts/reading.js';
import type { Lease } from '../../model/run/lease.js';
import type { RunDirectory } from '../../store/run-directory.js';
import type { BackgroundRun } from '../background-run.js';
import { giveRun } from '../give-run.js';
import { standingOfOwner } from './owner.js';
import { type LeaseState, nextLease, type OwnerStanding, resumeLease } from './state.js';
import { ownerGone, ownerGoneText, stoppedText } from './words.js';

/** What a lease needs of a run. */
export type LeasedRun = Pick<
  BackgroundRun,
  'id' | 'record' | 'directory' | 'settings' | 'remark' | 'warn' | 'kill'
>;

/** Throws when it could not be told: then it is tried again. */
export type TellOwnerGone = (run: LeasedRun, text: string) => void;

export interface LeaseWatchOptions {
  /** Milliseconds of a clock that nobody can set. */
  now?(): number;
  standingOf?(owner: ProcessIdentity): OwnerStanding;
}

interface Watched {
  readonly run: LeasedRun;
  readonly lease: Lease;
  state: LeaseState;
}

const lookEveryMs = 1000;
const fileName = 'lease.json';

/** Looks after the owners of all runs that have one, and does what the run was told to when its owner is gone. */
export class LeaseWatch {
  readonly #tellOthers: TellOwnerGone;
  readonly #now: () => number;
  readonly #standingOf: (owner: ProcessIdentity) => OwnerStanding;
  readonly #watched = new Map<string, Watched>();
  #timer: NodeJS.Timeout | null = null;

  constructor(tell: TellOwnerGone, { now, standingOf }: LeaseWatchOptions = {}) {
    this.#tellOthers = tell;
    this.#now = now ?? (() => performance.now());
    this.#standingOf = standingOf ?? standingOfOwner;
  }

  /** A run that is started or adopted. */
  add(run: LeasedRun, lease: Lease): void {
    if (lease.whenGone === 'keep' && lease.handOver === undefined) return;
    const state = resumeLease(goneForMs(run.directory), this.#now(), lease);
    if (state.kind !== 'held') run.remark = ownerGone;
    this.#watched.set(run.id, { run, lease, state });
    this.#timer ??= setInterval(() => this.look(), lookEveryMs).unref();
  }

  /** It has ended. */
  remove(id: string): void {
    this.#watched.delete(id);
    if (this.#watched.size === 0) this.close();
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** At all of them, now. Many runs may have the same owner: it is looked at once. */
  look(): void {
    const known = new Map<string, OwnerStanding>();
    for (const watched of [...this.#watched.values()]) {
      if (watched.state.kind === 'over') continue;
      const { owner } = watched.lease;
      const key = `${owner.pid} ${owner.startTicks} ${owner.bootId}`;
      const standing = known.get(key) ?? this.#standingOf(owner);
      known.set(key, standing);
      this.#advance(watched, standing);
    }
  }

  #advance(watched: Watched, standing: OwnerStanding): void {
    const { run, lease } = watched;
    const { state, act } = nextLease(watched.state, standing, this.#now(), lease);
    try {
      if (act === 'tell') this.#tell(run, lease);
      if (act === 'stop') stop(run, lease);
      if (state.kind !== 'held') handOver(run, lease);
    } catch (error) {
      // Told again at the next look.
      run.warn((error as Error).message);
      return;
    }
    run.remark = state.kind === 'held' || lease.whenGone === 'keep' ? null : ownerGone;
    watched.state = state;
  }

  /** First told, then saved: whoever is killed in between tells it again, as the same. */
  #tell(run: LeasedRun, lease: Lease): void {
    const text = ownerGoneText(lease);
    this.#tellOthers(run, text);
    run.warn(text);
    try {
      run.directory.writeWhole(fileName, { goneAt: new Date().toISOString() });
    } catch {
      // A full disk: the next daemon begins the delay anew.
    }
  }
}

/** Done again, it does nothing: then it is not its first owner's any more. */
function handOver(run: LeasedRun, { handOver: wish }: Lease): void {
  if (wish !== undefined && run.record.background.owner === wish.from) giveRun(run, wish.to);
}

/** The order to kill it is on the disk before anybody is signalled: the next daemon goes on. */
function stop(run: LeasedRun, lease: Lease): void {
  run.warn(stoppedText(lease));
  run.kill('lease', run.settings.graceMs).catch((error: Error) => run.warn(error.message));
}

/** By the wall clock; null: its owner was there when somebody looked last. */
function goneForMs(directory: RunDirectory): number | null {
  const saved = knownValue(directory.readJson(fileName), 'whether its owner was there');
  const { goneAt } = (saved ?? {}) as { goneAt?: unknown };
  const atMs = typeof goneAt === 'string' ? Date.parse(goneAt) : Number.NaN;
  return Number.isNaN(atMs) ? null : Date.now() - atMs;
}

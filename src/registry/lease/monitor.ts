import type { ProcessIdentity } from '../../model/facts/identity.js';
import { knownValue } from '../../model/facts/reading.js';
import type { Lease } from '../../model/run/lease.js';
import type { RunDirectory } from '../../store/run-directory.js';
import type { BackgroundRun } from '../background-run.js';
import { giveRun } from '../give-run.js';
import { ownerGone, ownerGoneText, stoppedText } from './notice.js';
import { standingOfOwner } from './owner.js';
import { type LeaseState, nextLease, type OwnerStanding, resumeLease } from './state.js';

/** The part of a run that a lease needs. */
export type LeasedRun = Pick<
  BackgroundRun,
  'id' | 'record' | 'directory' | 'settings' | 'remark' | 'warn'
> & { acts: Pick<BackgroundRun['acts'], 'kill'> };

/** Throws when the notice could not be stored. It is then tried again. */
export type ReportOwnerGone = (run: LeasedRun, text: string) => void;

export interface LeaseMonitorOptions {
  /** Milliseconds of a monotonic clock. */
  now?(): number;
  standingOf?(owner: ProcessIdentity): OwnerStanding;
}

interface Watched {
  readonly run: LeasedRun;
  readonly lease: Lease;
  state: LeaseState;
}

const pollEveryMs = 1000;
const fileName = 'lease.json';

/** Polls the owners of all runs that have one, and applies the lease of a run when its owner is gone. */
export class LeaseMonitor {
  readonly #reportToOthers: ReportOwnerGone;
  readonly #now: () => number;
  readonly #standingOf: (owner: ProcessIdentity) => OwnerStanding;
  readonly #watched = new Map<string, Watched>();
  #timer: NodeJS.Timeout | null = null;

  constructor(report: ReportOwnerGone, { now, standingOf }: LeaseMonitorOptions = {}) {
    this.#reportToOthers = report;
    this.#now = now ?? (() => performance.now());
    this.#standingOf = standingOf ?? standingOfOwner;
  }

  /** Called for a run that is started or adopted. */
  add(run: LeasedRun, lease: Lease): void {
    if (lease.whenGone === 'keep' && lease.handOver === undefined) return;
    const state = resumeLease(goneForMs(run.directory), this.#now(), lease);
    if (state.kind !== 'held') run.remark = ownerGone;
    this.#watched.set(run.id, { run, lease, state });
    this.#timer ??= setInterval(() => this.check(), pollEveryMs).unref();
  }

  remove(id: string): void {
    this.#watched.delete(id);
    if (this.#watched.size === 0) this.close();
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Polls all owners now. Many runs may have the same owner, which is read only once. */
  check(): void {
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
      if (act === 'report') this.#report(run, lease);
      if (act === 'stop') stop(run, lease);
      if (state.kind !== 'held') handOver(run, lease);
    } catch (error) {
      // Tried again at the next poll.
      run.warn((error as Error).message);
      return;
    }
    run.remark = state.kind === 'held' || lease.whenGone === 'keep' ? null : ownerGone;
    watched.state = state;
  }

  /** First reported, then saved. A daemon killed in between leaves the next one to report the same notice again. */
  #report(run: LeasedRun, lease: Lease): void {
    const text = ownerGoneText(lease);
    this.#reportToOthers(run, text);
    run.warn(text);
    try {
      run.directory.writeWhole(fileName, { goneAt: new Date().toISOString() });
    } catch {
      // The disk is full. The next daemon begins the delay anew.
    }
  }
}

/** Repeating this does nothing, because the run no longer has its first owner. */
function handOver(run: LeasedRun, { handOver: wish }: Lease): void {
  if (wish !== undefined && run.record.background.owner === wish.from) giveRun(run, wish.to);
}

/** The kill order is stored before any process is signalled, so that the next daemon can continue. */
function stop(run: LeasedRun, lease: Lease): void {
  run.warn(stoppedText(lease));
  run.acts.kill('lease', run.settings.graceMs).catch((error: Error) => run.warn(error.message));
}

/** By the wall clock; null: the owner was there at the last poll. */
function goneForMs(directory: RunDirectory): number | null {
  const saved = knownValue(directory.readJson(fileName), 'whether its owner was there');
  const { goneAt } = (saved ?? {}) as { goneAt?: unknown };
  const atMs = typeof goneAt === 'string' ? Date.parse(goneAt) : Number.NaN;
  return Number.isNaN(atMs) ? null : Date.now() - atMs;
}

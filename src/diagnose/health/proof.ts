import type { HealthTick, Thresholds, TreeSample } from '../../model/run/health.js';
import { stuckKinds, type Verdict, type VerdictKind } from '../../model/verdict.js';
import { activityOf, busyWith } from './window.js';

/** States of the command itself that a sample shows, and what they mean. */
const haltedStates: Record<string, VerdictKind> = { Z: 'zombie', T: 'stopped', t: 'stopped' };

export function isStoppedLeader({ leaderState }: TreeSample): boolean {
  return haltedStates[leaderState ?? ''] === 'stopped';
}

/** The same proof in consecutive samples, without contrary evidence in between. */
export interface Proof {
  kind: VerdictKind;
  /** null: the command itself, whose pid a sample does not contain. */
  pid: number | null;
  samples: number;
  /** How many of the most recent samples left no doubt. */
  certainSamples: number;
  /** For how long every tick has shown it. */
  forMs: number;
}

/** The evidence of one sample; `certain`: without a doubt. */
type Sighting = Pick<Proof, 'kind' | 'pid'> & { certain: boolean };

/** Only a tick that is a whole sample may count. */
export function nextProof(
  before: Proof | null,
  tick: HealthTick,
  { whole, elapsedMs }: { whole: boolean; elapsedMs: number },
  thresholds: Thresholds,
): Proof | null {
  if (tick.printed) return null;
  const proven = provenByVerdict(tick);
  const found = proven ?? haltedLeader(tick);
  if (found === null) return speaksAgainst(before, tick) ? null : before;
  const { kind, pid, certain } = found;
  const isSame = before !== null && before.kind === kind && before.pid === pid;
  const earlier =
    isSame && !worked(tick.sample, found, thresholds)
      ? before
      : { samples: 0, certainSamples: 0, forMs: -elapsedMs };
  const forMs = earlier.forMs + elapsedMs;
  const one = whole && (proven !== null || lasts(found, forMs, thresholds)) ? 1 : 0;
  return {
    kind,
    pid,
    samples: earlier.samples + one,
    certainSamples: certain ? earlier.certainSamples + one : 0,
    forMs,
  };
}

/** A stopped process may go on in a moment; a certain verdict already includes how long it has been stopped. */
function lasts({ kind }: Sighting, forMs: number, { activityMs }: Thresholds): boolean {
  return kind !== 'stopped' || forMs >= activityMs;
}

/** These are reported early even if something unlikely could still end them. */
const reportedEarly: ReadonlySet<VerdictKind> = new Set(['deadlock', 'needs-input']);

/** Whether a verdict, seen often enough, proves that the run is stuck. */
export function mayBeProof({
  kind,
  certainty,
  wayOut,
}: Pick<Verdict, 'kind' | 'certainty'> & { wayOut?: boolean }): boolean {
  if (certainty === 'high') return reportedEarly.has(kind) && wayOut !== true;
  return certainty === 'certain' && stuckKinds.has(kind);
}

function provenByVerdict({ verdict, canAnswer, sample }: HealthTick): Sighting | null {
  if (verdict === null || !mayBeProof(verdict)) return null;
  if (verdict.kind === 'needs-input' && canAnswer) return null;
  const isLeader = haltedStates[sample.leaderState ?? ''] === verdict.kind;
  return {
    kind: verdict.kind,
    pid: isLeader ? null : verdict.pid,
    certain: verdict.certainty === 'certain',
  };
}

/**
 * The state alone is proof only where nothing else goes on: a main thread that ended before the others is in state Z
 * too, a traced process is in state t for an instant at every call, and another process of the tree may continue it.
 */
function haltedLeader({ sample, verdict }: HealthTick): Sighting | null {
  const kind = haltedStates[sample.leaderState ?? ''];
  if (kind === undefined || (verdict !== null && (verdict.kind !== kind || verdict.relieved))) return null;
  if (!didNothing(sample) || sample.processes > 1) return null;
  if (kind === 'zombie' && sample.threads > sample.processes) return null;
  // A snapshot that is less than certain has evidence that the state does not show.
  return { kind, pid: null, certain: verdict === null };
}

/** Without a snapshot, an idle tree has not changed; the command's own state shows in every sample. */
function speaksAgainst(before: Proof | null, { verdict, sample }: HealthTick): boolean {
  if (verdict !== null || !didNothing(sample)) return true;
  return before?.pid === null && haltedStates[sample.leaderState ?? ''] !== before.kind;
}

function didNothing({ cpuPercent, ioBytes, networkBytes }: TreeSample): boolean {
  return cpuPercent === 0 && (ioBytes ?? 0) === 0 && (networkBytes ?? 0) === 0;
}

/**
 * A filter fed by a slow writer waits for input at every sample, a throttled process is stopped, a process that works
 * on signals is asleep: and all of them make progress in between. A deadlock that leaves no doubt is not ended by a few
 * bytes that a thread of the runtime reads.
 */
function worked(sample: TreeSample, { kind, certain }: Sighting, thresholds: Thresholds): boolean {
  const active = busyWith(activityOf(sample, thresholds.sampleMs), thresholds).length > 0;
  const isDeadlock = kind === 'deadlock' && certain;
  return active || (!isDeadlock && (sample.ioBytes ?? 0) > 0);
}

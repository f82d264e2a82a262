import path from 'node:path';
import { type Judgement, judge } from '../../diagnose/judge.js';
import type { ProcessIdentity } from '../../model/facts/identity.js';
import type { Snapshot } from '../../model/facts/snapshot.js';
import type { WhyAnswer } from '../../model/verdict.js';
import { chooseProbe } from '../../probe/choose.js';
import { saveSnapshot } from '../../probe/snapshots.js';
import { dumpStacks } from '../../probe/stacks.js';
import { makeDirectory } from '../../store/files.js';
import { answerLive } from './answer-live.js';

const stacksMax = 8;

export interface EvidenceOptions {
  pid: number;
  /** The run's directory. */
  dir: string;
  /** The folder in it for the files. */
  name?: string;
  /** Time limit for all evidence together. */
  totalMs: number;
  signal?: AbortSignal | undefined;
}

export interface Evidence {
  /** The answer about the tree; null: it could not be read. */
  answer: WhyAnswer | null;
  files: string[];
  warnings: string[];
}

/**
 * Processes at the end of the chain of waits, and all of a deadlock. Processes outside the run are not paused, not even
 * briefly.
 */
function worthStacks({ task, waiter, cause, view }: Judgement): ProcessIdentity[] {
  const members = 'tasks' in cause ? cause.tasks : [];
  const processes = new Set([task, waiter, ...members].map(({ process }) => process));
  const { bootId } = view.snapshot.host;
  return [...processes]
    .filter(({ inTree, pid }) => inTree && pid !== process.pid)
    .slice(0, stacksMax)
    .map(({ pid, startTicks }) => ({ bootId, pid, startTicks }));
}

/** Rejects when the time is over: reading a tree on a dead file system may never return. */
function within<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error('there was no time left'));
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}

/**
 * Stores what a tree was doing before it is stopped: the snapshot, its verdict, and stacks where a tool is available.
 * It never rejects, because a kill must not fail for lack of evidence.
 */
export async function takeEvidence({
  pid,
  dir,
  name = 'evidence',
  totalMs,
  signal,
}: EvidenceOptions): Promise<Evidence> {
  const deadline = performance.now() + totalMs;
  const time = AbortSignal.timeout(Math.max(0, Math.round(totalMs)));
  const over = signal === undefined ? time : AbortSignal.any([time, signal]);
  const place = path.join(dir, name);
  const files: string[] = [];
  const warnings: string[] = [];
  const attempt = async <T>(what: string, work: () => T | Promise<T>): Promise<T | null> => {
    try {
      return await work();
    } catch (error) {
      warnings.push(`${what}: ${(error as Error).message}`);
      return null;
    }
  };

  const snapshot = await attempt('no evidence was taken', async () => {
    const probe = await chooseProbe();
    return within(probe.snapshot(pid, { signal: over }), over);
  });
  if (snapshot === null) return { answer: null, files, warnings };

  await attempt('the evidence was not kept', async () => {
    makeDirectory(place, 0o700);
    const file = path.join(place, 'snapshot.json');
    await saveSnapshot(file, snapshot);
    files.push(file);
  });
  const judgement = await attempt('no verdict', () => judgeOrFail(snapshot));
  if (judgement === null) return { answer: null, files, warnings };

  const dumps = await attempt('no stacks were taken', () =>
    dumpStacks(worthStacks(judgement), place, { totalMs: deadline - performance.now(), signal }),
  );
  for (const { file } of dumps ?? []) files.push(file);
  const answer = answerLive(
    judgement,
    null,
    dumps?.filter(({ threads }) => threads.length > 0),
  );
  // Written again with the stacks. The first file exists whatever happens to the tools.
  const [kept] = files;
  if (kept !== undefined) await attempt('the stacks were not kept', () => saveSnapshot(kept, snapshot));
  return { answer, files, warnings };
}

function judgeOrFail(snapshot: Snapshot): Judgement {
  const judgement = judge(snapshot);
  if (judgement === null) throw new Error(`process ${snapshot.targetPid} ended while it was being read`);
  return judgement;
}

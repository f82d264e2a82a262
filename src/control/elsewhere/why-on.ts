import { Failure } from '../../model/failure.js';
import type { PlaceAddress } from '../../model/place.js';
import type { WhyAnswer, WhyResult } from '../../model/verdict.js';
import { containerProcess } from '../../places/container-process.js';
import { findPlace } from '../../places/find-place.js';
import { Place } from '../../places/place.js';
import { shownPlace } from '../../places/shown-place.js';
import { commandIn, stepsIn } from '../../places/words-in.js';
import { collect, saveCapture, snapshotOf } from '../../probe/captures.js';
import { isContainerHere, processInside } from '../../probe/containers.js';
import { checkPid, type WhyOptions, whyWithSnapshot } from '../why.js';
import { whySnapshot } from '../why-snapshot.js';

/** Options of `whyOn`. */
export interface WhyOnOptions extends WhyOptions {
  /** Also writes what was read there to this file. */
  capture?: string | undefined;
  /** Variables with which the clients of places are found. */
  env?: NodeJS.ProcessEnv;
}

/** Reading there takes seconds at most, and the way there takes its time. */
const collectMsMax = 60_000;

function located(answer: WhyAnswer, address: PlaceAddress): WhyAnswer {
  const { verdict, findings } = answer;
  return {
    on: shownPlace(address),
    ...answer,
    verdict: { ...verdict, next: stepsIn(address, verdict.next) },
    findings: findings.map((finding) => ({ ...finding, next: stepsIn(address, finding.next) })),
  };
}

/** The pid of this machine for a process of a container on it; null: the container is elsewhere. */
async function pidHere(address: PlaceAddress, pid: number, env: NodeJS.ProcessEnv): Promise<number | null> {
  const container = await containerProcess(address, env);
  if (container === null || !isContainerHere(container.pid, container.id)) return null;
  if (pid === 1) return container.pid;
  const found = processInside(container.pid, pid);
  if (found === null) throw missing(address, pid);
  return found;
}

function missing(address: PlaceAddress, pid: number): Failure {
  const name = shownPlace(address);
  return new Failure(
    'no-such-process',
    `no process ${pid} on ${name}`,
    `list them: ${commandIn(address, 'ps')}`,
  );
}

/**
 * What a process of another place waits for. A container of this machine is read from outside, which needs nothing in
 * it; any other place by a plain shell there. Rejects with a Failure.
 */
export async function whyOn(
  where: string,
  target: number | string,
  options: WhyOnOptions = {},
): Promise<WhyResult> {
  const { capture, env = process.env, ...rest } = options;
  const address = findPlace(where, env);
  const pid = checkPid(target);
  const here = capture === undefined ? await pidHere(address, pid, env) : null;
  if (here !== null) {
    const { answer, snapshot } = await whyWithSnapshot(here, rest);
    const evidence = [`pid ${pid} in ${shownPlace(address)} is ${here} here`, ...answer.verdict.evidence];
    return {
      answer: { on: shownPlace(address), ...answer, verdict: { ...answer.verdict, evidence } },
      snapshot,
    };
  }
  const place = new Place(address, env);
  const collected = await collect(
    pid,
    async (script) => (await place.run(script, { timeoutMs: collectMsMax, quietMs: place.answerMs })).stdout,
    options.gapMs === undefined ? {} : { gapMs: options.gapMs },
  );
  if (capture !== undefined) await saveCapture(capture, collected);
  try {
    const snapshot = await snapshotOf(collected);
    return { answer: located(whySnapshot(snapshot), address), snapshot };
  } catch (error) {
    throw error instanceof Failure && error.code === 'no-such-process' ? missing(address, pid) : error;
  }
}

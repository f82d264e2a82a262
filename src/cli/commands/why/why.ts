import { setTimeout as delay } from 'node:timers/promises';
import { captureHere, loadSnapshot, saveSnapshot } from '../../../control/snapshots.js';
import { checkPid, type ProbeName, type WhyOptions, whyWithSnapshot } from '../../../control/why.js';
import { Failure } from '../../../model/failure.js';
import type { WhyAnswer, WhyResult } from '../../../model/verdict.js';
import { useColor } from '../../output/color.js';
import { jsonDocument } from '../../output/json-document.js';
import type { JsonFlag } from '../../shared/call.js';
import { endWithReader } from '../../shared/end-with-reader.js';
import { fail } from '../../shared/fail.js';
import { readDuration } from '../../shared/read-duration.js';
import { renderAnswer } from './render.js';
import { watchAnswers } from './watch-answers.js';

export interface WhyFlags {
  on?: string | undefined;
  json?: true | undefined;
  save?: string | undefined;
  capture?: string | undefined;
  from?: string | undefined;
  watch?: true | undefined;
  every: string;
  gap: string;
  probe?: ProbeName | undefined;
}

function print(answer: WhyAnswer, json: boolean): void {
  process.stdout.write(json ? jsonDocument(answer) : renderAnswer(answer, useColor()));
}

type Ask = (signal?: AbortSignal) => Promise<WhyResult>;
type Options = Omit<WhyOptions, 'signal'>;

/** No pid is larger: Linux has at most 2^22 processes. */
const pidMax = 4_194_304;
const looksLikePid = (word: string) => /^-?\d{1,7}$/.test(word) && Number(word) <= pidMax;

/** Resolves a background run to its process. */
async function askAboutRun(word: string, options: Options, json: JsonFlag): Promise<Ask> {
  const { processOfRun } = await import('../../shared/process-of-run.js');
  const { nextForRun } = await import('../../shared/process-of-run.js');
  const { whyRun } = await import('../../../control/elsewhere/why-run.js');
  const { callOperation } = await import('../../../control/client/daemon-client.js');
  const { checkedCall } = await import('../../shared/call.js');
  const { knownRuns } = await import('../../../control/run-files.js');
  // Without runs no daemon is needed.
  if (knownRuns().length === 0) throw noSuchRun(word);
  const run = await processOfRun(checkedCall(callOperation, json), word).catch((error) => {
    throw error instanceof Failure && error.code === 'no-such-run' ? noSuchRun(word) : error;
  });
  return async (signal) => {
    const given = { ...options, screen: run.screen, ...(signal && { signal }) };
    const { answer, snapshot } = await whyRun(run, given);
    const evidence = [...(run.evidence === undefined ? [] : [run.evidence]), ...answer.verdict.evidence];
    const verdict = { ...answer.verdict, evidence, next: nextForRun(answer.verdict, run) };
    return { answer: { ...answer, verdict }, snapshot };
  };
}

/** `HOST/ID` or `HOST/PID` of the fleet; null: not one. */
async function answerOfHost(word: string): Promise<WhyAnswer | null> {
  const { whyOnHost } = await import('../../../control/fleet/why.js');
  return await whyOnHost(word);
}

/** Digits alone are a pid, also where no pid can be that large. */
function noSuchRun(word: string): Failure {
  return /^\d+$/.test(word)
    ? new Failure('no-such-process', `no process ${word}, and no run with that id`, whyHint)
    : new Failure('no-such-run', `no run ${JSON.stringify(word)}, and not a process id`, whyHint);
}

const whyHint = 'find a pid with: pgrep -f NAME; list the runs: unstuck ps';

function askAboutProcess(word: string, options: Options): Ask {
  const pid = checkPid(word);
  return async (signal) => {
    try {
      return await whyWithSnapshot(pid, { ...options, ...(signal && { signal }) });
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'no-such-process' || word.length < 4) throw error;
      throw new Failure(error.code, error.message, `${error.hint}; is it a run? unstuck why run_${word}`);
    }
  };
}

/** A container is a place and a process at once. */
const container = /^(docker|podman):/;

/** A process of another place; the first one of a container, if none is given. */
function askElsewhere(where: string, word: string, options: Options, flags: WhyFlags): Ask {
  if (flags.probe !== undefined)
    throw new Failure('bad-input', '--probe is for this machine', 'leave out --probe or --on');
  return async (signal) => {
    const { whyOn } = await import('../../../control/elsewhere/why-on.js');
    return whyOn(where, word, { ...options, capture: flags.capture, ...(signal && { signal }) });
  };
}

async function choose(word: string, options: Options, flags: WhyFlags): Promise<Ask> {
  if (flags.on !== undefined) return askElsewhere(flags.on, word, options, flags);
  if (container.test(word)) return askElsewhere(word, '1', options, flags);
  return looksLikePid(word) ? askAboutProcess(word, options) : askAboutRun(word, options, flags);
}

async function answer(given: string | undefined, flags: WhyFlags): Promise<void> {
  const pid = given ?? (flags.on !== undefined && container.test(flags.on) ? '1' : undefined);
  if (flags.from !== undefined) {
    if (pid !== undefined) {
      throw new Failure('bad-input', 'a pid and --from cannot be combined', 'leave out one of them');
    }
    const { whySnapshot } = await import('../../../control/why-snapshot.js');
    print(whySnapshot(await loadSnapshot(flags.from)), flags.json === true);
    return;
  }
  if (pid === undefined) {
    throw new Failure(
      'bad-input',
      'no process given',
      'give a process: unstuck why PID, a run: unstuck why ID, or a file: unstuck why --from FILE',
    );
  }
  const gapMs = readDuration('--gap', flags.gap, 1, 60_000);
  const everyMs = readDuration('--every', flags.every, 100, 3_600_000);
  const options = { gapMs, ...(flags.probe && { probe: flags.probe }) };
  const remote = flags.on === undefined && pid.includes('/') ? await answerOfHost(pid) : null;
  if (remote !== null) return print(remote, flags.json === true);
  const take = await choose(pid, options, flags);
  const ask = async (signal?: AbortSignal) => {
    const result = await take(signal);
    if (flags.save !== undefined) await saveSnapshot(flags.save, result.snapshot);
    if (flags.capture !== undefined && result.answer.on === undefined)
      await captureHere(result.snapshot.targetPid, flags.capture);
    return result.answer;
  };
  if (flags.watch !== true) return print(await ask(), flags.json === true);
  await watchAnswers({
    ask,
    pause: (signal) => delay(everyMs, undefined, { signal }),
    json: flags.json === true,
  });
}

/** `unstuck why`. */
export async function runWhy(pid: string | undefined, flags: WhyFlags): Promise<void> {
  endWithReader();
  try {
    await answer(pid, flags);
  } catch (error) {
    fail(error, flags.json === true);
  }
}

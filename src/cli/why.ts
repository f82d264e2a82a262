import { setTimeout as delay } from 'node:timers/promises';
import { loadSnapshot, saveSnapshot } from '../control/snapshots.js';
import { checkPid, type ProbeName, whyWithSnapshot } from '../control/why.js';
import { Failure } from '../model/failure.js';
import type { WhyAnswer } from '../model/verdict.js';
import { useColor } from './color.js';
import { endWithReader } from './end-with-reader.js';
import { fail } from './fail.js';
import { readDuration } from './read-duration.js';
import { renderAnswer } from './render-answer.js';
import { watchAnswers } from './watch-answers.js';

export interface WhyFlags {
  json?: true | undefined;
  save?: string | undefined;
  from?: string | undefined;
  watch?: true | undefined;
  every: string;
  gap: string;
  probe?: ProbeName | undefined;
}

function print(answer: WhyAnswer, json: boolean): void {
  process.stdout.write(json ? `${JSON.stringify(answer)}\n` : renderAnswer(answer, useColor()));
}

/** A run in the background stands for its process. */
async function targetOf(word: string): Promise<number> {
  if (!/^(run_[0-9a-f]*|(?=.*[a-f])[0-9a-f]{4,12})$/.test(word)) return checkPid(word);
  const { pidOfRun } = await import('./background/pid-of-run.js');
  const { callOperation } = await import('../control/client/daemon-client.js');
  return pidOfRun(callOperation, word);
}

async function answer(pid: string | undefined, flags: WhyFlags): Promise<void> {
  if (flags.from !== undefined) {
    if (pid !== undefined) {
      throw new Failure('bad-input', 'both a pid and --from were given', 'leave out one of them');
    }
    const { whySnapshot } = await import('../control/why-snapshot.js');
    print(whySnapshot(await loadSnapshot(flags.from)), flags.json === true);
    return;
  }
  if (pid === undefined) {
    throw new Failure(
      'bad-input',
      'no process given',
      'name one: unstuck why PID, a run: unstuck why ID, or a file: unstuck why --from FILE',
    );
  }
  const target = await targetOf(pid);
  const gapMs = readDuration('--gap', flags.gap, 1, 60_000);
  const everyMs = readDuration('--every', flags.every, 100, 3_600_000);
  const { probe } = flags;
  const look = async (signal?: AbortSignal) => {
    const result = await whyWithSnapshot(target, {
      gapMs,
      ...(probe && { probe }),
      ...(signal && { signal }),
    });
    if (flags.save !== undefined) await saveSnapshot(flags.save, result.snapshot);
    return result.answer;
  };
  if (flags.watch !== true) return print(await look(), flags.json === true);
  await watchAnswers({
    look,
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

import { type FirstOutput, GrowingFile, startOf } from '../../../control/local/growing-file.js';
import { PassingWriter } from '../../output/passing-writer.js';
import { note, noteLost } from '../../output/print.js';
import type { Call } from '../../shared/call.js';
import { abortOnInterrupt } from '../../shared/on-interrupt.js';
import { labelledName } from '../../shared/short-id.js';
import { awaitExit, endedLine } from '../wait/await-exit.js';
import { LabelledLines, linePrefixes } from './label-lines.js';
import type { LabelledRun } from './log-many.js';

interface FollowManyOptions extends FirstOutput {
  raw: true | undefined;
}

/** `unstuck log --follow` of several runs: each line with its label, until all have ended. */
export async function followMany(
  call: Call,
  runs: readonly LabelledRun[],
  options: FollowManyOptions,
): Promise<void> {
  const prefixes = linePrefixes(runs);
  const out = new PassingWriter(1);
  const { stop, release } = abortOnInterrupt();
  const followOne = async ({ id, label }: LabelledRun) => {
    const place = await call('inspect', { id }, { signal: stop.signal });
    noteLost(place);
    const file = new GrowingFile(place.log, place.logStart);
    const lines = new LabelledLines(prefixes.get(id) ?? '', options.raw);
    const ended = new AbortController();
    const over = awaitExit(call, id, stop.signal).finally(() => ended.abort());
    // A failure is thrown below, after the output that is there.
    over.catch(() => {});
    try {
      const until = AbortSignal.any([stop.signal, ended.signal]);
      await file.follow(startOf(file, options), (chunk) => out.write(lines.push(chunk)), until);
      await out.write(lines.end());
    } finally {
      file.close();
    }
    const output = await over;
    if (process.stderr.isTTY) note(endedLine(labelledName(label, id), output));
  };
  try {
    await Promise.all(runs.map(followOne));
  } catch (error) {
    // Ctrl-C, or a reader that closes early.
    if (!stop.signal.aborted && (error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  } finally {
    stop.abort();
    release();
  }
}

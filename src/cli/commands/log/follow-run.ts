import { type FirstOutput, GrowingFile, startOf } from '../../../control/local/growing-file.js';
import { PassingWriter } from '../../output/passing-writer.js';
import { note, noteLost } from '../../output/print.js';
import { TerminalFilter } from '../../output/terminal-filter.js';
import type { Call } from '../../shared/call.js';
import { abortOnInterrupt } from '../../shared/on-interrupt.js';
import { runName } from '../../shared/short-id.js';
import { awaitExit, endedLine } from '../wait/await-exit.js';

interface FollowOptions extends FirstOutput {
  /** Pass every byte even to a terminal. */
  raw: true | undefined;
}

/** `unstuck log --follow`: every byte until the run ends. On a terminal, unsafe control sequences are left out. */
export async function followRun(call: Call, id: string, options: FollowOptions): Promise<void> {
  const { raw } = options;
  const filter = raw || process.stdout.isTTY !== true ? null : new TerminalFilter();
  const place = await call('inspect', { id });
  const { log, logStart, id: whole } = place;
  noteLost(place);
  const file = new GrowingFile(log, logStart);
  const out = new PassingWriter(1);
  const { stop, release } = abortOnInterrupt();
  let trouble: unknown = null;
  const over = awaitExit(call, whole, stop.signal)
    .then((output) => {
      const lines = process.stderr.isTTY ? [endedLine(runName(id, whole), output)] : [];
      const isNews = output?.outputLost !== undefined && place.outputLost === undefined;
      return [...lines, ...(isNews ? [`warning: ${output.outputLost?.message}`] : [])].join('\n');
    })
    .catch((error) => {
      if (!stop.signal.aborted) trouble = error;
      return '';
    })
    .finally(() => stop.abort());
  try {
    await file.follow(
      startOf(file, options),
      (chunk) => out.write(filter === null ? chunk : Buffer.from(filter.push(chunk))),
      stop.signal,
    );
    if (filter !== null) await out.write(Buffer.from(filter.end()));
  } catch (error) {
    // A reader that closes early is not an error.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  } finally {
    stop.abort();
    release();
    file.close();
  }
  const ended = await over;
  if (trouble !== null) throw trouble;
  if (ended !== '') note(ended);
}

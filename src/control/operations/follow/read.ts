import fs from 'node:fs';
import * as z from 'zod/mini';
import { readOwnFile } from '../../../store/files.js';
import { readTrimmed } from '../../../store/log/trimmed.js';
import { ambiguous, outputLost, status, whole } from '../shared/fields.js';
import { operation } from '../shared/operation.js';
import { onRun, ownRun } from '../shared/own-run.js';

const bytesDefault = 256 * 1024;
const bytesMax = 4 * 1024 * 1024;
const waitSMax = 60;

/** For programs that follow the output of a run from another machine. */
export const read = operation({
  name: 'read',
  summary: 'bytes of the output of a run from an offset; waits for more',
  input: z.strictObject({
    ...ownRun,
    /** The first byte of output is 0. */
    offset: z._default(whole, 0),
    bytes: z._default(whole.check(z.maximum(bytesMax)), bytesDefault),
    /** Seconds to wait for a byte when there is none. */
    timeoutS: z._default(z.number().check(z.minimum(0), z.maximum(waitSMax)), 0),
  }),
  output: z.object({
    id: z.string(),
    status,
    /** Offset of the first byte of `data`: later than asked for when the head was dropped for the disk cap. */
    offset: z.number(),
    /** base64. */
    data: z.string(),
    /** Bytes of output so far. */
    totalBytes: z.number(),
    outputLost,
    ambiguous,
  }),
  handle: onRun(async (run, { offset, bytes, timeoutS }, { signal }) => {
    const { path, start } = run.log;
    const size = () => Math.max(0, fs.statSync(path).size - start);
    if (timeoutS > 0 && size() <= offset && run.status === 'running') {
      await untilOutput(() => size() > offset || run.status !== 'running' || signal.aborted, timeoutS * 1000);
    }
    // Read before the bytes: what was printed before the end is in the answer that reports the end.
    const standing = run.status;
    const totalBytes = size();
    const from = Math.min(Math.max(offset, readTrimmed(run.directory.path).droppedBytes), totalBytes);
    const to = Math.min(from + bytes, totalBytes);
    const data = readOwnFile(path, start + from, start + to).toString('base64');
    const lost = run.outputLost;
    const loss = lost === null ? {} : { outputLost: lost };
    return { id: run.id, status: standing, offset: from, data, totalBytes, ...loss };
  }),
});

const pollMs = 100;

function untilOutput(isSo: () => boolean, ms: number): Promise<void> {
  const endMs = performance.now() + ms;
  return new Promise((resolve) => {
    const check = () => {
      if (isSo() || performance.now() >= endMs) resolve();
      else setTimeout(check, pollMs);
    };
    check();
  });
}

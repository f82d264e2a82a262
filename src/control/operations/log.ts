import * as z from 'zod/mini';
import { Failure } from '../../model/failure.js';
import { firstByteSince, isWrittenBefore, printedAfterMs } from '../../store/log/log-times.js';
import type { LogView } from '../../store/log/log-view.js';
import { ambiguous, outputLost, status, whole } from './shared/fields.js';
import { operation } from './shared/operation.js';
import { onRun, ownRun } from './shared/own-run.js';
import { failureLines, searchLines } from './shared/search-lines.js';

const linesDefault = 200;
const linesMax = 10_000;

export const log = operation({
  name: 'log',
  summary: 'lines of the output of a run',
  input: z.strictObject({
    ...ownRun,
    /** First line, counted from 0; default: the last `limit` lines. A search starts there, or at 0. */
    offset: z.optional(whole),
    /** Instead of `offset`: the line that has this byte of the output. */
    atByte: z.optional(whole),
    limit: z._default(whole.check(z.maximum(linesMax)), linesDefault),
    plain: z._default(z.boolean(), false),
    /** Only lines that contain this text or match this /regular expression/ with flags. */
    search: z.optional(z.string().check(z.minLength(1), z.maxLength(1000))),
    /** Only lines that look like failures; with `search`, those and its matches. */
    errors: z._default(z.boolean(), false),
    /** Only lines printed after this time (milliseconds since 1970), and some seconds before it. */
    sinceMs: z.optional(z.number()),
    /** Return when each line was printed. */
    times: z._default(z.boolean(), false),
  }),
  output: z.object({
    id: z.string(),
    status,
    lines: z.array(z.string()),
    /** Number of the first line of `lines`. */
    offset: z.number(),
    totalLines: z.number(),
    /** Not all lines of a long log were counted in time: `totalLines` and `offset` are lower bounds. */
    atLeast: z.optional(z.literal(true)),
    /** Lines at the beginning that were dropped for the disk cap. */
    droppedLines: z.number(),
    outputLost,
    /** In a search: the number of each line. */
    numbers: z.optional(z.array(z.number())),
    /** In a search that stopped at its limit or ran out of time: continue from this line. */
    nextOffset: z.optional(z.number()),
    /** For each line: not printed before this time, in milliseconds since 1970. */
    times: z.optional(z.array(z.number())),
    ambiguous,
  }),
  handle: onRun(async (run, { search, errors, times, sinceMs, atByte, ...given }, { signal }) => {
    const which =
      atByte === undefined ? given : { ...given, offset: await run.log.view.lineAt(atByte, signal) };
    const patterns = [...(search === undefined ? [] : [search]), ...(errors ? failureLines : [])];
    const { view } = run.log;
    const lost = run.outputLost;
    const facts = { id: run.id, status: run.status, ...(lost !== null && { outputLost: lost }) };
    if (patterns.length > 0) {
      refuse({ search: true, times, sinceMs: sinceMs !== undefined });
      return { ...facts, ...(await searchLines(view, patterns, which, signal)) };
    }
    refuse({ offset: which.offset !== undefined, sinceMs: sinceMs !== undefined });
    run.log.tail.catchUp();
    const from = sinceMs === undefined ? undefined : bytesBefore(view, sinceMs);
    const { starts, ...found } = await view.lines({ ...which, from, patient: true }, signal);
    const known = times ? view.times() : [];
    const timeOf = (start: number) => printedAfterMs(known, start) ?? run.startedMs;
    return { ...facts, ...found, ...(times && { times: starts.map(timeOf) }) };
  }),
});

/** Throws a Failure when more than one of the fields is given. */
function refuse(given: Record<string, boolean>): void {
  const names = Object.keys(given).filter((name) => given[name]);
  if (names.length < 2) return;
  throw new Failure('bad-input', `${names.join(' and ')} cannot be combined`, 'leave out one of them');
}

/** Bytes of output that were printed before this time, or a little less. */
function bytesBefore(view: LogView, sinceMs: number): number {
  const lastMs = view.lastWriteMs();
  return lastMs !== null && isWrittenBefore(lastMs, sinceMs)
    ? view.size()
    : firstByteSince(view.times(), sinceMs);
}

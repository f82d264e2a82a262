import * as z from 'zod/mini';
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
    limit: z._default(whole.check(z.maximum(linesMax)), linesDefault),
    plain: z._default(z.boolean(), false),
    /** Only lines that contain this text or match this /regular expression/ with flags. */
    search: z.optional(z.string().check(z.minLength(1), z.maxLength(1000))),
    /** Only lines that look like failures; with `search`, those and its matches. */
    errors: z._default(z.boolean(), false),
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
    ambiguous,
  }),
  handle: onRun(async (run, { search, errors, ...which }, { signal }) => {
    const patterns = [...(search === undefined ? [] : [search]), ...(errors ? failureLines : [])];
    const found =
      patterns.length === 0
        ? await run.log.view.lines({ ...which, patient: true }, signal)
        : await searchLines(run.log.view, patterns, which, signal);
    const lost = run.outputLost;
    return { id: run.id, status: run.status, ...found, ...(lost !== null && { outputLost: lost }) };
  }),
});

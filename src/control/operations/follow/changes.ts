import * as z from 'zod/mini';
import type { Cursor } from '../../../registry/changes/change-feed.js';
import { whole } from '../shared/fields.js';
import { listedRun, listedRunOf } from '../shared/listed-run.js';
import { operation } from '../shared/operation.js';

const secondsMax = 60;
const cursorPattern = /^([0-9a-f]{12})\.(\d{1,15})$/;

/** For pages and screens that show all runs and follow them. */
export const changes = operation({
  name: 'changes',
  summary: 'the runs that have changed since a cursor; waits for a change',
  input: z.strictObject({
    /** From the last answer; default: all runs are given. A cursor of an earlier daemon is answered in the same way. */
    since: z.optional(z.string().check(z.regex(cursorPattern))),
    /** Seconds to wait for a change; at most 60. */
    timeoutS: z._default(z.number().check(z.minimum(0), z.maximum(secondsMax)), 0),
  }),
  output: z.object({
    cursor: z.string(),
    /** `runs` are all runs; false: those that have changed. */
    whole: z.boolean(),
    runs: z.array(listedRun),
    /** Ids of runs that were forgotten. */
    removed: z.array(z.string()),
    /** Number of the newest notice. */
    lastNotice: whole,
    /** What keeps the daemon from its work; null: nothing. */
    trouble: z.nullable(z.string()),
  }),
  handle: async ({ since, timeoutS }, { registry, signal }) => {
    const found = await registry.changes.read(cursorOf(since), timeoutS * 1000, signal);
    return {
      cursor: `${found.cursor.feed}.${found.cursor.version}`,
      whole: found.whole,
      runs: found.runs.map((run) => listedRunOf(registry, run, !found.whole)),
      removed: found.removed,
      lastNotice: registry.lastNotice,
      trouble: registry.recentTrouble,
    };
  },
});

function cursorOf(text: string | undefined): Cursor | null {
  const [, feed, version] = cursorPattern.exec(text ?? '') ?? [];
  return feed === undefined || version === undefined ? null : { feed, version: Number(version) };
}

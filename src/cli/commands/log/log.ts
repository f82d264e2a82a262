import { Failure } from '../../../model/failure.js';
import { parseDuration } from '../../../text/duration.js';
import { note, noteLost, printJson } from '../../output/print.js';
import { forOutput } from '../../output/terminal-filter.js';
import { type Call, type JsonFlag, withDaemon } from '../../shared/call.js';
import { readWhole } from '../../shared/read-whole.js';
import { type FilterFlags, filterOf, nothingFound } from '../../shared/run-filter.js';
import type { LabelledRun } from './log-many.js';

export interface LogFlags extends JsonFlag, FilterFlags {
  since?: string | undefined;
  offset?: string | undefined;
  limit?: string | undefined;
  plain?: true | undefined;
  raw?: true | undefined;
  follow?: true | undefined;
}

const linesMax = 10_000;
const offsetMax = 1e12;

/** --follow passes bytes on unchanged: options that count or change lines cannot be combined with it. */
function checkFollow(flags: LogFlags): void {
  for (const name of ['offset', 'plain', 'json'] as const) {
    if (flags[name] === undefined) continue;
    throw new Failure(
      'bad-input',
      `--follow passes every byte on unchanged and cannot be combined with --${name}`,
      `leave out one of them${name === 'offset' ? ', or start with the last lines: --follow --limit 100' : ''}`,
    );
  }
}

/** `5m`, or a time as in a log: 2026-03-01T12:30. In milliseconds since 1970. */
function readSince(text: string): number {
  const agoMs = parseDuration(text);
  const atMs = agoMs === null ? Date.parse(text) : Date.now() - agoMs;
  if (Number.isFinite(atMs)) return atMs;
  throw new Failure(
    'bad-input',
    `--since is ${JSON.stringify(text)}, which is neither a duration nor a time`,
    'write it like this: --since 5m, --since 2026-03-01T12:30',
  );
}

/** The runs that were asked for, each once. */
async function wantedRuns(call: Call, ids: readonly string[], flags: LogFlags): Promise<LabelledRun[]> {
  const filter = filterOf(flags);
  if (ids.length === 0 && Object.keys(filter).length === 0) {
    throw new Failure('bad-input', 'no run was named', 'name one: unstuck log api; list them: unstuck ps');
  }
  const named = await Promise.all(ids.map(async (id) => (await call('inspect', { id })).id));
  const { runs } = await call('list', ids.length === 0 ? filter : {});
  if (ids.length > 0) return [...new Set(named)].map((id) => ({ id, label: labelOf(runs, id) }));
  if (runs.length === 0)
    throw new Failure('no-such-run', nothingFound(filter), 'list them: unstuck ps --all');
  return runs;
}

const labelOf = (runs: readonly LabelledRun[], id: string) => runs.find((run) => run.id === id)?.label ?? id;

export async function log(call: Call, ids: readonly string[], flags: LogFlags): Promise<void> {
  const limit = flags.limit === undefined ? undefined : readWhole('--limit', flags.limit, 0, linesMax);
  const sinceMs = flags.since === undefined ? undefined : readSince(flags.since);
  if (flags.follow) checkFollow(flags);
  if (sinceMs !== undefined && flags.offset !== undefined) {
    throw new Failure('bad-input', '--since and --offset cannot be combined', 'leave out one of them');
  }
  const first = { lastLines: limit, sinceMs, raw: flags.raw };
  const [only] = ids;
  if (ids.length !== 1 || only === undefined) {
    if (flags.offset !== undefined) {
      throw new Failure('bad-input', '--offset is for one run', 'leave it out, or name one run');
    }
    const runs = await wantedRuns(call, ids, flags);
    if (flags.follow) return (await import('./follow-many.js')).followMany(call, runs, first);
    const { logMany } = await import('./log-many.js');
    return logMany(call, runs, { ...flags, limit, sinceMs });
  }
  if (flags.follow && only.includes('/')) {
    const { followOnHost, isOnHost } = await import('./follow-remote.js');
    if (isOnHost(only)) return followOnHost(only, flags.raw);
  }
  if (flags.follow) return (await import('./follow-run.js')).followRun(call, only, first);
  await logOne(call, only, { ...flags, lines: limit, sinceMs });
}

interface OneOptions extends LogFlags {
  lines: number | undefined;
  sinceMs: number | undefined;
}

async function logOne(
  call: Call,
  id: string,
  { lines: limit, sinceMs, ...flags }: OneOptions,
): Promise<void> {
  const output = await call('log', {
    id,
    ...(flags.offset !== undefined && { offset: readWhole('--offset', flags.offset, 0, offsetMax) }),
    ...(limit !== undefined && { limit }),
    ...(sinceMs !== undefined && { sinceMs }),
    ...(flags.plain && { plain: true }),
  });
  if (flags.json) return printJson(output);
  const { lines, offset, totalLines, droppedLines, atLeast } = output;
  if (lines.length > 0) process.stdout.write(forOutput(`${lines.join('\n')}\n`, flags.raw));
  if (atLeast) note(`${lines.length} of at least ${totalLines} lines (too many to count at once)`);
  else if (lines.length < totalLines && sinceMs === undefined)
    note(
      `lines ${offset} to ${offset + lines.length - 1} of ${totalLines}, counted from 0; for all lines: --follow`,
    );
  if (droppedLines > 0) note(`the first ${droppedLines} lines were dropped for the disk limit`);
  noteLost(output);
}

/** `unstuck log`. */
export const runLog = (ids: readonly string[], flags: LogFlags) =>
  withDaemon(flags, (call) => log(call, ids, flags));

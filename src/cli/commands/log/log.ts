import { Failure } from '../../../model/failure.js';
import { note, noteLost, printJson } from '../../output/print.js';
import { forOutput } from '../../output/terminal-filter.js';
import { type Call, type JsonFlag, withDaemon } from '../../shared/call.js';
import { readWhole } from '../../shared/read-whole.js';

export interface LogFlags extends JsonFlag {
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

export async function log(call: Call, id: string, flags: LogFlags): Promise<void> {
  const limit = flags.limit === undefined ? undefined : readWhole('--limit', flags.limit, 0, linesMax);
  if (flags.follow) {
    checkFollow(flags);
    const { followRun } = await import('./follow-run.js');
    return followRun(call, id, { lastLines: limit, raw: flags.raw });
  }
  const output = await call('log', {
    id,
    ...(flags.offset !== undefined && { offset: readWhole('--offset', flags.offset, 0, offsetMax) }),
    ...(limit !== undefined && { limit }),
    ...(flags.plain && { plain: true }),
  });
  if (flags.json) return printJson(output);
  const { lines, offset, totalLines, droppedLines, atLeast } = output;
  if (lines.length > 0) process.stdout.write(forOutput(`${lines.join('\n')}\n`, flags.raw));
  if (atLeast) note(`${lines.length} of at least ${totalLines} lines (too many to count at once)`);
  else if (lines.length < totalLines)
    note(
      `lines ${offset} to ${offset + lines.length - 1} of ${totalLines}, counted from 0; for all lines: --follow`,
    );
  if (droppedLines > 0) note(`the first ${droppedLines} lines were dropped for the disk limit`);
  noteLost(output);
}

/** `unstuck log`. */
export const runLog = (id: string, flags: LogFlags) => withDaemon(flags, (call) => log(call, id, flags));

import type { OperationOutput } from '../../../control/operations/table.js';
import { note, noteLost, printJson } from '../../output/print.js';
import type { Call } from '../../shared/call.js';
import { labelledName } from '../../shared/short-id.js';
import { labelled, linePrefixes, mergeLines } from './label-lines.js';

export interface LabelledRun {
  id: string;
  label: string;
}

interface ManyOptions {
  limit: number | undefined;
  sinceMs: number | undefined;
  plain?: true | undefined;
  raw?: true | undefined;
  json?: true | undefined;
}

/** The last lines of several runs together, in the order in which they were printed. */
export async function logMany(
  call: Call,
  runs: readonly LabelledRun[],
  { limit, sinceMs, plain, raw, json }: ManyOptions,
): Promise<void> {
  const input = {
    times: true,
    ...(limit !== undefined && { limit }),
    ...(sinceMs !== undefined && { sinceMs }),
    ...(plain && { plain }),
  };
  const logs = await Promise.all(runs.map(({ id }) => call('log', { ...input, id })));
  const labelOf = new Map(runs.map(({ id, label }) => [id, label]));
  if (json) return printJson({ runs: logs.map((log) => ({ label: labelOf.get(log.id), ...log })) });
  const prefixes = linePrefixes(runs);
  let text = '';
  for (const line of mergeLines(logs)) text += labelled(line, prefixes, raw);
  process.stdout.write(text);
  for (const log of logs) noteRest(log, labelOf.get(log.id) ?? '', sinceMs);
}

/** What is not shown. */
function noteRest(log: OperationOutput<'log'>, label: string, sinceMs: number | undefined): void {
  const { id, lines, totalLines, atLeast, droppedLines } = log;
  const name = labelledName(label, id);
  const count = `${lines.length} of ${atLeast ? 'at least ' : ''}${totalLines} lines`;
  if (sinceMs === undefined && lines.length < totalLines) note(`${name}: ${count}`);
  if (droppedLines > 0) note(`${name}: the first ${droppedLines} lines were dropped for the disk limit`);
  noteLost(log);
}

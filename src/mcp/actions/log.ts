import { background } from '../../control/background.js';
import type { OperationOutput } from '../../control/operations/table.js';
import { headAndTail } from '../../text/head-and-tail.js';
import { oneLine } from '../../text/visible.js';
import { formatLost, waitCall } from '../words.js';
import type { Action } from './action.js';

/** Keeps the answer short for a model. */
const charsMax = 8000;
const lineCharsMax = 500;
const foundMax = 50;

type Log = OperationOutput<'log'>;

export const log: Action = {
  takes: ['id', 'offset', 'limit', 'search', 'errors'],
  act: async ({ id, offset, limit, search, errors, all }, { session, signal }) => {
    const isSearch = search !== undefined || errors === true;
    const most = limit ?? (isSearch ? foundMax : undefined);
    const answer = await background.log(
      {
        id,
        ...session.scope(all),
        plain: true,
        ...(offset !== undefined && { offset }),
        ...(most !== undefined && { limit: most }),
        ...(search !== undefined && { search }),
        ...(errors !== undefined && { errors }),
      },
      { signal },
    );
    const { id: whole, status, totalLines, nextOffset, outputLost, atLeast } = answer;
    const { shown, omitted } = withinBounds(answer);
    return {
      message: `${heading(answer, isSearch)}${omitted > 0 ? `, ${omitted} of them omitted in the middle` : ''}`,
      rows: formatLost(outputLost),
      printed: [{ of: whole, text: shown.join('\n') }],
      data: {
        id: whole,
        status,
        lines: shown,
        offset: answer.offset,
        totalLines,
        ...(atLeast && { atLeast }),
        ...(nextOffset !== undefined && { nextOffset }),
        ...(outputLost !== undefined && { outputLost }),
      },
      next: nextStep(answer, isSearch),
    };
  },
};

function heading({ id, lines, offset, totalLines, nextOffset, atLeast }: Log, isSearch: boolean): string {
  if (atLeast && !isSearch) return `${id}: ${lines.length} of at least ${totalLines} lines`;
  if (isSearch) {
    const found = `${id}: ${lines.length} of ${totalLines} lines found`;
    return nextOffset === undefined ? found : `${found}, searched only up to line ${nextOffset}`;
  }
  if (lines.length === 0) return `${id}: no lines in this range, ${totalLines} in total`;
  return `${id}: lines ${offset} to ${offset + lines.length - 1} of ${totalLines}`;
}

function nextStep({ id, status, nextOffset, offset, lines, totalLines }: Log, isSearch: boolean): string {
  if (nextOffset !== undefined) return `for more, repeat the call with "offset": ${nextOffset}`;
  if (!isSearch && offset + lines.length < totalLines)
    return `for more, repeat the call with "offset": ${offset + lines.length}`;
  return status === 'running' ? waitCall(id) : 'nothing more; the run has ended';
}

/** The first and the last lines; lines found by a search begin with their number. */
function withinBounds({ lines, numbers }: Log): { shown: string[]; omitted: number } {
  const short = lines.map((line) => headAndTail(oneLine(line), lineCharsMax).output.replaceAll('\n', ' '));
  const all = numbers === undefined ? short : short.map((line, index) => `${numbers[index]}: ${line}`);
  const head: string[] = [];
  const tail: string[] = [];
  let left = charsMax;
  for (let taken = 0; taken < all.length; taken += 1) {
    const isHead = head.length <= tail.length;
    const line = (isHead ? all[head.length] : all[all.length - 1 - tail.length]) ?? '';
    left -= line.length + 1;
    if (left < 0) break;
    if (isHead) head.push(line);
    else tail.unshift(line);
  }
  const omitted = all.length - head.length - tail.length;
  return { shown: omitted === 0 ? all : [...head, `… ${omitted} lines omitted …`, ...tail], omitted };
}

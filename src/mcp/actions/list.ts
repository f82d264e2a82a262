import { background } from '../../control/background.js';
import type { OperationOutput } from '../../control/operations/table.js';
import { exitWords } from '../../model/run/exit-words.js';
import { formatDuration } from '../../text/duration.js';
import { formatLost, waitCall } from '../words.js';
import type { Action } from './action.js';

type Run = OperationOutput<'list'>['runs'][number];

/** Keeps the answer short for a model; running runs come first. */
const shownMax = 20;
const lineChars = 80;

export const list: Action = {
  takes: [],
  act: async ({ all }, { session, signal }) => {
    const { runs } = await background.list({}, { signal });
    const mine = all ? runs : runs.filter(({ owner }) => owner === session.owner);
    const newestFirst = mine.toReversed();
    const shown = [
      ...newestFirst.filter(({ status }) => status === 'running'),
      ...newestFirst.filter(({ status }) => status !== 'running'),
    ].slice(0, shownMax);
    const others = runs.length - mine.length;
    const running = shown.find(({ status }) => status === 'running');
    return {
      data: {
        runs: shown.map((run) => ({ ...facts(run), ...(all && { owner: run.owner ?? 'nobody' }) })),
        ...(mine.length > shown.length && { omitted: mine.length - shown.length }),
        ...(others > 0 && { others }),
      },
      text: [
        ...(shown.length === 0 ? ['No runs of this client.'] : shown.map((run) => line(run, all))),
        ...(mine.length > shown.length ? [`and ${mine.length - shown.length} older runs`] : []),
        ...(others > 0 ? [`${others} more belong to other clients or have no owner: add "all": true`] : []),
      ].join('\n'),
      next: running === undefined ? 'start {"command": …}' : waitCall(running.id),
    };
  },
};

function facts(run: Run) {
  const { id, label, command, status, pid, startedAt, uptimeS, health, needsInput, exit, outputLost } = run;
  return {
    ...{ id, label, command: command.slice(0, 200), status, pid, startedAt, uptimeS, health },
    ...(needsInput && { needsInput }),
    ...(exit !== undefined && { exit }),
    ...(outputLost !== undefined && { outputLost }),
  };
}

function line(run: Run, all: boolean): string {
  const state =
    run.status === 'running'
      ? `${run.needsInput ? 'needs input' : run.health} for ${formatDuration(run.uptimeS * 1000)}`
      : exitWords(run.exit);
  const owner = all ? `, owner ${run.owner ?? 'none'}` : '';
  const last = run.lastLine === '' ? '' : ` · ${run.lastLine.slice(0, lineChars)}`;
  const lost = formatLost(run.outputLost).map((text) => `, ${text}`);
  return `${run.id} ${run.label}: ${state}${owner}${lost.join('')}${last}`;
}

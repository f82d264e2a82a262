import { background } from '../../control/background.js';
import type { OperationOutput } from '../../control/operations/table.js';
import { exitWords } from '../../model/run/run.js';
import { formatDuration } from '../../text/duration.js';
import { quoted } from '../../text/visible.js';
import { formatLost, waitCall } from '../words.js';
import type { Action } from './action.js';

type Run = OperationOutput<'list'>['runs'][number];

/** Keeps the answer short for a model; running runs come first. */
const shownMax = 20;
const lineChars = 80;
const labelChars = 60;
const commandChars = 200;

export const list: Action = {
  takes: ['task', 'tag'],
  act: async ({ task, tag, all }, { session, signal }) => {
    const filter = { ...(task !== undefined && { task }), ...(tag !== undefined && { tag }) };
    const { runs } = await background.list(filter, { signal });
    const mine = all ? runs : runs.filter(({ owner }) => owner === session.owner);
    const newestFirst = mine.toReversed();
    const running = newestFirst.filter(({ status }) => status === 'running');
    const ended = newestFirst.filter(({ status }) => status !== 'running');
    const shown = [...running, ...ended].slice(0, shownMax);
    const omitted = mine.length - shown.length;
    const others = runs.length - mine.length;
    return {
      message: [
        mine.length === 0
          ? 'No such runs of this client.'
          : `${count(mine.length)}, ${running.length} running.`,
        ...(omitted > 0 ? [`${omitted} older ones are not shown.`] : []),
        ...(others > 0 ? [`${others} more belong to other clients or have no owner: add "all": true.`] : []),
      ].join(' '),
      rows: shown.map((run) => line(run, all)),
      data: {
        runs: shown.map((run) => ({ ...facts(run), ...(all && { owner: run.owner ?? 'nobody' }) })),
        ...(omitted > 0 && { omitted }),
        ...(others > 0 && { others }),
      },
      next: running[0] === undefined ? 'start {"command": …}' : waitCall(running[0].id),
    };
  },
};

const count = (runs: number) => (runs === 1 ? '1 run' : `${runs} runs`);

function facts(run: Run) {
  const { id, label, command, status, pid, startedAt, uptimeS, health, needsInput } = run;
  const { estimate, exit, outputLost } = run;
  return {
    ...{ id, label, command: command.slice(0, commandChars), status, pid, startedAt, uptimeS, health },
    ...(needsInput && { needsInput }),
    ...(estimate !== undefined && { estimate }),
    ...(exit !== undefined && { exit }),
    ...(outputLost !== undefined && { outputLost }),
    ...(run.task !== null && { task: run.task }),
    ...(run.tags.length > 0 && { tags: run.tags }),
  };
}

function line(run: Run, all: boolean): string {
  const state =
    run.status === 'running'
      ? `${run.needsInput ? 'needs input' : run.health} for ${formatDuration(run.uptimeS * 1000)}`
      : exitWords(run.exit);
  const owner = all ? `, owner ${run.owner ?? 'none'}` : '';
  const far = run.estimate === undefined ? '' : `, ${run.estimate.text}`;
  const last = run.lastLine === '' ? '' : `, last line ${quoted(run.lastLine, lineChars)}`;
  const lost = formatLost(run.outputLost).map((text) => `, ${text}`);
  return `${run.id} ${quoted(run.label, labelChars)}: ${state}${far}${owner}${lost.join('')}${last}`;
}

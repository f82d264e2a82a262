import { background } from '../../control/background.js';
import { listFleet } from '../../control/fleet/list.js';
import type { OperationOutput } from '../../control/operations/table.js';
import type { ListInput } from '../../model/operations/inputs.js';
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
  act: async ({ task, tag, all, host }, { session, signal }) => {
    const filter = { ...(task !== undefined && { task }), ...(tag !== undefined && { tag }) };
    const { runs, away } = await runsOf(host, filter, signal);
    // On another machine an agent that asks for it means all runs there.
    const isAll = all || host !== undefined;
    const mine = isAll ? runs : runs.filter(({ owner }) => owner === session.owner);
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
        ...(away.length > 0 ? [`Not reached: ${away.join(', ')}.`] : []),
        ...(others > 0 ? [`${others} more belong to other clients or have no owner: add "all": true.`] : []),
      ].join(' '),
      rows: shown.map((run) => line(run, isAll)),
      data: {
        runs: shown.map((run) => ({ ...facts(run), ...(isAll && { owner: run.owner }) })),
        ...(omitted > 0 && { omitted }),
        ...(others > 0 && { others }),
      },
      next: running[0] === undefined ? 'start {"command": …}' : waitCall(running[0].id),
    };
  },
};

/** Of this machine, of one machine of the fleet, or of all (`*`). */
async function runsOf(host: string | undefined, filter: ListInput, signal: AbortSignal) {
  if (host === undefined) return { runs: (await background.list(filter, { signal })).runs, away: [] };
  const { hosts, runs } = await listFleet(filter, { signal, ...(host !== '*' && { host }) });
  const away = hosts.flatMap(({ name, away: gone, busy }) => {
    const reason = gone ?? busy;
    return reason === undefined ? [] : [`${name} (${reason})`];
  });
  return { runs, away };
}

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

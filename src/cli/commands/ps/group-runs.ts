import type { OperationOutput } from '../../../control/operations/table.js';
import { printable } from '../../../text/printable.js';

type Run = OperationOutput<'list'>['runs'][number];

/** Runs that `unstuck up` has started from one file, or all that were started otherwise. */
export interface RunGroup {
  /** The line above them; null: none is needed. */
  title: string | null;
  runs: Run[];
}

/** `up:shop:1a2b3c`: the directory of the file, and a part of the digest of its path. */
const upTask = /^up:(.*):[0-9a-f]+$/s;

/** Groups in the order of their first run; the order inside of a group stays. */
export function groupRuns(runs: readonly Run[]): RunGroup[] {
  const byTask = new Map<string | null, Run[]>();
  for (const run of runs) {
    const task = run.tags.includes('up') && upTask.test(run.task ?? '') ? run.task : null;
    byTask.set(task, [...(byTask.get(task) ?? []), run]);
  }
  const groups = [...byTask].map(([task, members]) => ({ task, members }));
  return groups.map(({ task, members }, index) => ({
    title: task === null ? (index === 0 ? null : 'others') : titleOf(task, members),
    runs: members,
  }));
}

function titleOf(task: string, members: readonly Run[]): string {
  const live = members.filter(({ status }) => status === 'running').length;
  const name = printable(upTask.exec(task)?.[1] ?? task);
  return `up ${name} (--task ${printable(task)}): ${live} running${live < members.length ? `, ${members.length - live} ended` : ''}`;
}

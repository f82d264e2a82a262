import type { ChainLink } from '../../model/verdict.js';
import { pathTo } from '../graph/explore.js';
import type { Judgement } from '../judge.js';
import { commandLine } from './names.js';
import { endWords } from './sentences.js';
import { viaWords } from './via-words.js';

/**
 * From the target to the process at the end, and what that process waits for. An empty `waitsFor`: it does not wait.
 */
export function chainOf({ view, exploration, cause, task, waiter }: Judgement): ChainLink[] {
  const path = pathTo(exploration, task.process.pid);
  const links = path.flatMap(({ pid }, index) => {
    const process = view.process(pid);
    if (process === undefined) return [];
    const via = path[index + 1]?.step?.via;
    const last = task === waiter ? endWords(cause) : '';
    const waitsFor = via === undefined ? last : viaWords[via];
    return [
      {
        pid,
        command: commandLine(process),
        waitsFor,
        ...(view.hasMember(process.pid) ? {} : { outside: true as const }),
      },
    ];
  });
  const { target } = view;
  if (target === undefined || exploration.steps.has(target.pid)) return links;
  // The target merely sleeps: the answer is about the rest of its tree.
  return [{ pid: target.pid, command: commandLine(target), waitsFor: 'nothing, beside' }, ...links];
}

import type { OperationOutput } from '../../../control/operations/table.js';
import { Failure } from '../../../model/failure.js';
import { printable } from '../../../text/printable.js';
import { useColor } from '../../output/color.js';
import { printJson, say } from '../../output/print.js';
import { type Call, type JsonFlag, withDaemon } from '../../shared/call.js';
import { type FilterFlags, filterOf, nothingFound } from '../../shared/run-filter.js';
import { groupRuns } from './group-runs.js';
import { dropEnded, orderRuns } from './order-runs.js';
import { type PsView, renderPs } from './render.js';

export interface PsFlags extends FilterFlags, JsonFlag {
  watch?: true | undefined;
  all?: true | undefined;
  fleet?: true | undefined;
}

/** All lines of `ps`. */
export function psLines(output: OperationOutput<'list'>, flags: PsFlags, view: PsView): string[] {
  const ordered = orderRuns(output.runs);
  const { shown, hidden } = flags.all ? { shown: ordered, hidden: 0 } : dropEnded(ordered);
  const ids = ordered.map(({ id }) => id);
  const lines = shown.length === 0 ? [nothingFound(filterOf(flags))] : renderPs(groupRuns(shown), ids, view);
  if (hidden > 0) lines.push(`and ${hidden} more ended runs: unstuck ps --all`);
  for (const { directory, reason } of output.unreadable)
    lines.push(printable(`cannot read ${directory}: ${reason}`));
  return lines;
}

const ownView = (): PsView => ({
  columns: process.stdout.isTTY ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY,
  color: useColor(),
});

export async function ps(call: Call, flags: PsFlags): Promise<void> {
  const poll = (signal?: AbortSignal) => call('list', filterOf(flags), signal && { signal });
  if (!flags.watch) {
    const output = await poll();
    if (flags.json) return printJson(output);
    return say(psLines(output, flags, ownView()).join('\n'));
  }
  if (!flags.json && !process.stdout.isTTY) {
    throw new Failure('bad-input', '--watch needs a terminal', 'in a pipe use: unstuck ps --watch --json');
  }
  const { watchPs } = await import('./watch-ps.js');
  await watchPs(poll, { json: flags.json === true, draw: (output) => psLines(output, flags, ownView()) });
}

/** `unstuck ps`. */
export async function runPs(flags: PsFlags): Promise<void> {
  if (!flags.fleet) return withDaemon(flags, (call) => ps(call, flags));
  const { runPsFleet } = await import('./ps-fleet.js');
  await runPsFleet(flags);
}

import { type FleetList, listFleet } from '../../../control/fleet/list.js';
import { printable } from '../../../text/printable.js';
import { useColor } from '../../output/color.js';
import { printJson, say } from '../../output/print.js';
import type { JsonFlag } from '../../shared/call.js';
import { endWithReader } from '../../shared/end-with-reader.js';
import { fail } from '../../shared/fail.js';
import { type FilterFlags, filterOf } from '../../shared/run-filter.js';
import { hostLines } from '../fleet/render.js';
import { groupRuns } from './group-runs.js';
import { dropEnded, orderRuns } from './order-runs.js';
import { renderPs } from './render.js';

/** Runs of all machines, those that need attention first; then machines that have not answered. */
export function fleetLines({ hosts, runs }: FleetList, all: boolean, columns: number): string[] {
  const missing = hosts.filter(({ away, busy }) => (away ?? busy) !== undefined);
  const ordered = orderRuns(runs);
  const { shown, hidden } = all ? { shown: ordered, hidden: 0 } : dropEnded(ordered);
  const names = runs.map(({ id }) => id);
  const table =
    shown.length === 0 ? ['no runs'] : renderPs(groupRuns(shown), names, { columns, color: useColor() });
  return [
    ...table,
    ...(hidden > 0 ? [`and ${hidden} more ended runs: unstuck ps --fleet --all`] : []),
    ...(hosts.length === 0 ? hostLines(hosts) : hostLines(missing).filter(() => missing.length > 0)),
  ].map(printable);
}

interface PsFleetFlags extends FilterFlags, JsonFlag {
  all?: true | undefined;
}

/** `unstuck ps --fleet`. */
export async function runPsFleet(flags: PsFleetFlags): Promise<void> {
  endWithReader();
  try {
    const found = await listFleet(filterOf(flags));
    if (flags.json) return printJson(found);
    const columns = process.stdout.isTTY ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY;
    say(fleetLines(found, flags.all === true, columns).join('\n'));
  } catch (error) {
    fail(error, flags.json === true);
  }
}

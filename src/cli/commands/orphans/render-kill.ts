import type { OrphanKill, OrphanResult } from '../../../model/orphan.js';
import { printable } from '../../../text/printable.js';

const labels: Record<OrphanResult['result'], string> = {
  killed: 'killed',
  'would-kill': 'would be killed',
  skipped: 'skipped',
  failed: 'failed',
};

function resultLine({ pid, command, result, because }: OrphanResult): string {
  const why = because === null ? '' : `: ${because}`;
  return printable(`${labels[result]} ${pid} ${command}${why}`);
}

/** The result for each orphan, the counts, and a tip about the rest. */
export function killedLines(
  { results, killed, skipped, failed, receipt, tip }: OrphanKill,
  dryRun: boolean,
): { lines: string[]; tip: string | null } {
  if (results.length === 0) return { lines: ['nothing to stop'], tip: null };
  const wouldBe = results.filter(({ result }) => result === 'would-kill').length;
  const first = dryRun ? `${wouldBe} would be killed` : `${killed} killed`;
  const ports = receipt?.ports.filter(({ free }) => free).map(({ port }) => port) ?? [];
  const freed = ports.length === 0 ? '' : `; freed ports: ${ports.join(', ')}`;
  return {
    lines: [...results.map(resultLine), `${first}, ${skipped} skipped, ${failed} failed${freed}`],
    tip: tip === null ? null : `tip: ${printable(tip)}`,
  };
}

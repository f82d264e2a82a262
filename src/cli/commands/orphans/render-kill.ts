import type { OrphanKill, OrphanResult } from '../../../model/orphan.js';
import { formatDuration } from '../../../text/duration.js';
import { printable } from '../../../text/printable.js';
import { displayWidth } from '../../output/display-width.js';

const labels: Record<OrphanResult['result'], string> = {
  killed: 'killed',
  'would-kill': 'kill',
  skipped: 'skipped',
  failed: 'failed',
};

function resultLine({ pid, command, result, because }: OrphanResult): string {
  const why = because === null ? '' : `: ${because}`;
  return printable(`${labels[result]} ${pid} ${command}${why}`);
}

const titles = ['PID', 'AGE', 'CLASS', 'ACTION', 'COMMAND'];
/** Right-aligned number columns. */
const numbers = 2;

/** What would be done to each orphan, as a table. */
function plannedLines(results: readonly OrphanResult[]): string[] {
  const rows = results.map(({ pid, ageMs, classification, result, because, command }) => [
    String(pid),
    formatDuration(ageMs),
    classification,
    result === 'would-kill' ? 'kill' : `${result === 'skipped' ? 'skip' : result}: ${because ?? 'no reason'}`,
    command,
  ]);
  const table = [titles, ...rows].map((row) => row.map(printable));
  const widths = titles.map((_, column) => Math.max(...table.map((row) => displayWidth(row[column] ?? ''))));
  return table.map((row) =>
    row
      .map((text, column) => {
        const pad = ' '.repeat((widths[column] ?? 0) - displayWidth(text));
        return column < numbers ? pad + text : text + pad;
      })
      .join('  ')
      .trimEnd(),
  );
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
    lines: [
      ...(dryRun ? plannedLines(results) : results.map(resultLine)),
      `${first}, ${skipped} skipped, ${failed} failed${freed}`,
    ],
    tip: tip === null ? null : `tip: ${printable(tip)}`,
  };
}

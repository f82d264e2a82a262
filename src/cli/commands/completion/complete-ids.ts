import { knownRuns } from '../../../control/run-files.js';
import { printable } from '../../../text/printable.js';

/** `unstuck complete-ids`: ids that can be typed, each with its label after a tab. Reads only the disk, to be quick. */
export function runCompleteIds(which: string, word: string): void {
  // A word that begins with r can only mean `run_`.
  const lead = word.startsWith('r') ? 0 : 'run_'.length;
  const lines = knownRuns()
    .filter(({ hasEnded }) => which === 'all' || !hasEnded)
    .map(({ id, label }) => ({ id: id.slice(lead), label: printable(label) }))
    .filter(({ id }) => id.startsWith(word))
    .map(({ id, label }) => `${id}\t${label}\n`);
  process.stdout.write(lines.join(''));
}

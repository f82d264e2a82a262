import { knownRuns } from '../../../control/run-files.js';
import { printable } from '../../../text/printable.js';

/** `unstuck complete-ids`: ids and labels that can be typed, each with the other after a tab. Reads only the disk, to be quick. */
export function runCompleteIds(which: string, word: string): void {
  // A word that begins with r can only mean `run_`.
  const lead = word.startsWith('r') ? 0 : 'run_'.length;
  const runs = knownRuns().filter(({ hasEnded }) => which === 'all' || !hasEnded);
  const ids = runs
    .map(({ id, label }) => ({ id: id.slice(lead), label: printable(label) }))
    .filter(({ id }) => id.startsWith(word))
    .map(({ id, label }) => `${id}\t${label}\n`);
  // Labels that need no quotes; without a word, the ids with their labels are enough.
  const labels = runs
    .filter(({ label }) => word !== '' && /^[\w.:@+-]+$/.test(label) && label.startsWith(word))
    .map(({ id, label }) => `${label}\t${id}\n`);
  process.stdout.write([...ids, ...labels].join(''));
}

import { knownRuns } from '../control/run-files.js';
import { printable } from '../model/printable.js';

/** `unstuck complete-ids`: what can be typed for an id, and its label behind a tab. Only from disk: it must be quick. */
export function runCompleteIds(which: string, word: string): void {
  // No hexadecimal number begins with r.
  const lead = word.startsWith('r') ? 0 : 'run_'.length;
  const lines = knownRuns()
    .filter(({ hasEnded }) => which === 'all' || !hasEnded)
    .map(({ id, label }) => ({ id: id.slice(lead), label: printable(label) }))
    .filter(({ id }) => id.startsWith(word))
    .map(({ id, label }) => `${id}\t${label}\n`);
  process.stdout.write(lines.join(''));
}

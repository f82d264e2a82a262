import type { Verdict } from '../../model/verdict.js';
import type { RunProcess } from './process-of-run.js';

/** What to type next about a run of ours: its answer and its end have commands of their own. */
export function nextForRun({ kind, reason, next }: Verdict, { name, takesInput }: RunProcess): string[] {
  const steps = next.map((step) => step.replace(/^(stop it.*): kill \d+$/, `$1: unstuck kill ${name}`));
  if (kind !== 'needs-input' || !takesInput) return steps;
  // What is typed as a word of a command can be read by others, and stays in the history of the shell.
  const submit = reason.includes('password') ? '' : `unstuck submit ${name} ANSWER, or `;
  return [
    `answer it: ${submit}unstuck attach ${name}`,
    ...steps.filter((step) => !/^(answer|give) it/.test(step)),
  ];
}

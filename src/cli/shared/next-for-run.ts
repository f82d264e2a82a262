import type { Verdict } from '../../model/verdict.js';
import type { RunProcess } from './process-of-run.js';

/** Next steps for a background run, which has its own commands to answer and stop it. */
export function nextForRun({ kind, reason, next }: Verdict, { name, takesInput }: RunProcess): string[] {
  const steps = next.map((step) => step.replace(/^(stop it.*): kill \d+$/, `$1: unstuck kill ${name}`));
  if (kind !== 'needs-input' || !takesInput) return steps;
  // Arguments of a command are visible to other users and stay in the shell history.
  const submit = reason.includes('password') ? '' : `unstuck submit ${name} ANSWER, or `;
  return [
    `answer it: ${submit}unstuck attach ${name}`,
    ...steps.filter((step) => !/^(answer|give) it/.test(step)),
  ];
}

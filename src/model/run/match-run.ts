import type { ListedRun } from '../operations/outputs.js';

/** Whether a run has all these words somewhere, in any order and case. */
export function matchesRun(run: ListedRun, text: string): boolean {
  const { id, label, command, why, task, owner, tags, lastLine } = run;
  const whole = [id, label, command, why, task, owner, ...tags, lastLine].join(' ').toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => whole.includes(word));
}

/** Whether what is typed for a prompt must not be shown. */
export const asksForSecret = (prompt: string) => /pass(?:word|phrase)|token|secret/i.test(prompt);

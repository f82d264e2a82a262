import type { BackgroundRun } from './background-run.js';

/** Gives a run to another owner; null: the run has no owner then. */
export function giveRun(
  { record, directory }: Pick<BackgroundRun, 'record' | 'directory'>,
  to: string | null,
): void {
  // Written to disk first, so that a daemon that adopts the run finds the same owner.
  directory.writeRecord({ ...record, background: { ...record.background, owner: to } });
  record.background.owner = to;
}

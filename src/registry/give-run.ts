import type { BackgroundRun } from './background-run.js';

/** To another owner; null: it belongs to nobody. */
export function giveRun(
  { record, directory }: Pick<BackgroundRun, 'record' | 'directory'>,
  to: string | null,
): void {
  // On the disk first: whoever adopts it must find the same.
  directory.writeRecord({ ...record, background: { ...record.background, owner: to } });
  record.background.owner = to;
}

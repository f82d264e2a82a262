import type { OperationInput } from '../../control/operations/table.js';
import type { RunStatus } from '../../model/background.js';

export interface FilterFlags {
  task?: string | undefined;
  owner?: string | undefined;
  status?: RunStatus | undefined;
}

/** Only what was typed. */
export function filterOf({ task, owner, status }: FilterFlags): OperationInput<'list'> {
  return {
    ...(task !== undefined && { task }),
    ...(owner !== undefined && { owner }),
    ...(status !== undefined && { status }),
  };
}

/** What to say when there is nothing to show. */
export function nothingFound(filter: OperationInput<'list'>): string {
  const wanted = Object.entries(filter).map(([name, value]) => `${name} ${value}`);
  return wanted.length === 0
    ? 'nothing runs in the background; start something: unstuck start -- npm run dev'
    : `no run with ${wanted.join(' and ')}; all of them: unstuck ps --all`;
}

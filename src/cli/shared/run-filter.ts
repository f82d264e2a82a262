import type { OperationInput } from '../../control/operations/table.js';
import type { RunStatus } from '../../model/run/background.js';

export interface FilterFlags {
  task?: string | undefined;
  owner?: string | undefined;
  status?: RunStatus | undefined;
  tag?: string | undefined;
}

/** Drops undefined fields. */
export function filterOf({ task, owner, status, tag }: FilterFlags): OperationInput<'list'> {
  return {
    ...(task !== undefined && { task }),
    ...(owner !== undefined && { owner }),
    ...(status !== undefined && { status }),
    ...(tag !== undefined && { tag }),
  };
}

/** The message when there are no runs. */
export function nothingFound(filter: OperationInput<'list'>): string {
  const wanted = Object.entries(filter).map(([name, value]) => `${name} ${value}`);
  return wanted.length === 0
    ? 'no background runs; start one: unstuck start -- npm run dev'
    : `no run with ${wanted.join(' and ')}; list all: unstuck ps --all`;
}

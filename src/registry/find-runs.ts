import { Failure } from '../model/failure.js';
import type { RunStatus } from '../model/run/background.js';
import type { BackgroundRun } from './background-run.js';
import type { SetAside } from './read-runs.js';

/** The filters of `list`. */
export interface RunFilter {
  task?: string | undefined;
  owner?: string | undefined;
  status?: RunStatus | undefined;
}

/** How many runs are named when a prefix is ambiguous. */
const namedMax = 5;

/** Finds a run by its id or a prefix of it. Throws a Failure when no run matches, or more than one. */
export function runById(
  runs: ReadonlyMap<string, BackgroundRun>,
  setAside: readonly SetAside[],
  id: string,
): BackgroundRun {
  const digits = id.replace(/^run_/, '');
  const exact = runs.get(`run_${digits}`);
  if (exact !== undefined) return exact;
  const isBeginning = /^[0-9a-f]{4,12}$/.test(digits);
  const found = isBeginning ? [...runs.values()].filter((run) => run.id.startsWith(`run_${digits}`)) : [];
  const [only, ...others] = found;
  if (only === undefined) {
    const unreadable = setAside.find(({ directory }) => directory.endsWith(`/run_${digits}`));
    if (unreadable !== undefined) {
      throw new Failure(
        'cannot-read',
        `what is known of run_${digits} cannot be read: ${unreadable.reason}`,
        unreadable.isUnread
          ? 'try again in a moment'
          : `inspect it: ls ${unreadable.directory}; its process is named first in the file pid`,
      );
    }
    throw new Failure(
      'no-such-run',
      `there is no run ${JSON.stringify(id)}`,
      'see which there are: unstuck list',
    );
  }
  if (others.length > 0) {
    const named = found.slice(0, namedMax).map((run) => run.id);
    throw new Failure('no-such-run', `${found.length} runs begin with ${id}`, `one of ${named.join(', ')}`);
  }
  return only;
}

/** Oldest first. */
export function runsLike(runs: Iterable<BackgroundRun>, { task, owner, status }: RunFilter): BackgroundRun[] {
  return [...runs]
    .filter(
      (run) =>
        (task === undefined || run.record.background.task === task) &&
        (owner === undefined || run.record.background.owner === owner) &&
        (status === undefined || run.status === status),
    )
    .sort((a, b) => a.startedMs - b.startedMs);
}

import { Failure } from '../model/failure.js';
import type { Ambiguous } from '../model/operations/outputs.js';
import type { RunStatus } from '../model/run/background.js';
import type { BackgroundRun } from './background-run.js';
import type { SetAside } from './read-runs.js';
import { chosenWords } from './words.js';

/** The filters of `list`. */
export interface RunFilter {
  task?: string | undefined;
  owner?: string | undefined;
  status?: RunStatus | undefined;
  tag?: string | undefined;
}

/** What a caller types for a run. */
export interface Handle {
  /** The id, a prefix of it, or the label. */
  id: string;
  /** Of several runs with a label, only those of this owner or of none are meant. */
  owner?: string | undefined;
  /** The run that already knows this request is meant, whatever has been started since. */
  requestId?: string | undefined;
}

export interface FoundRun {
  run: BackgroundRun;
  /** null: no other run can be meant. */
  ambiguous: Ambiguous | null;
}

/** How many runs are named when a prefix is ambiguous. */
const namedMax = 5;
const idCharsMin = 4;

/** Finds a run by its id, a prefix of it, or its label. Throws a Failure when none or more than one is meant. */
export function runByHandle(
  runs: ReadonlyMap<string, BackgroundRun>,
  setAside: readonly SetAside[],
  handle: Handle,
): FoundRun {
  const { id } = handle;
  const digits = id.replace(/^run_/, '');
  const exact = runs.get(`run_${digits}`);
  if (exact !== undefined) return { run: exact, ambiguous: null };
  const isBeginning = /^[0-9a-f]{4,12}$/.test(digits);
  const begun = isBeginning ? [...runs.values()].filter((run) => run.id.startsWith(`run_${digits}`)) : [];
  const labelled = runsLike(runs.values(), {}).filter(({ record }) => record.label === id);
  const both = begun.filter((run) => !labelled.includes(run));
  if (labelled.length > 0 && both.length > 0) {
    throw severalMeant(`${id} is a label, and the beginning of another id`, [...both, ...labelled]);
  }
  if (labelled.length > 0) return chooseLabelled(labelled, handle);
  const [only, ...others] = begun;
  if (only === undefined) {
    const attempt = isBeginning ? lastAttempt(runs.values(), `run_${digits}`) : undefined;
    if (attempt !== undefined) return { run: attempt, ambiguous: null };
    throw notFound(setAside, id, digits);
  }
  if (others.length > 0) throw severalMeant(`${begun.length} runs begin with ${id}`, begun);
  return { run: only, ambiguous: null };
}

/** The first run of a chain of restarts may have been removed. Its id still means the chain. */
function lastAttempt(runs: Iterable<BackgroundRun>, begins: string): BackgroundRun | undefined {
  const isMeant = ({ record }: BackgroundRun) => record.background.restart?.chain.startsWith(begins) === true;
  return runsLike(runs, {}).findLast(isMeant);
}

/** The newest live run, or the newest one. `labelled`: oldest first. Only one that lives is never ambiguous. */
function chooseLabelled(labelled: readonly BackgroundRun[], { id, owner, requestId = '' }: Handle): FoundRun {
  const own = labelled.filter(({ record }) => isOpenTo(record.background.owner, owner));
  const meant = (own.length === 0 ? labelled : own).toReversed();
  const run = (meant.find((one) => one.acts.knows(requestId)) ??
    meant.find(({ status }) => status === 'running') ??
    meant[0]) as BackgroundRun;
  const others = meant.filter((other) => other !== run).map((other) => other.id);
  // Beside the only live one, ended ones are its past: that of a run that was restarted.
  const isOnlyLive =
    run.status === 'running' && !meant.some((one) => one !== run && one.status === 'running');
  if (others.length === 0 || isOnlyLive) return { run, ambiguous: null };
  const message = chosenWords(id, others.length, run);
  return { run, ambiguous: { label: id, others: others.slice(0, namedMax), message } };
}

/** A run without an owner is open to everybody. */
export function isOpenTo(runOwner: string | null, owner: string | undefined): boolean {
  return owner === undefined || runOwner === null || runOwner === owner;
}

function severalMeant(what: string, found: readonly BackgroundRun[]): Failure {
  const named = found.slice(0, namedMax).map((run) => run.id);
  return new Failure('no-such-run', what, `one of ${named.join(', ')}`);
}

function notFound(setAside: readonly SetAside[], id: string, digits: string): Failure {
  const unreadable = setAside.find(({ directory }) => directory.endsWith(`/run_${digits}`));
  if (unreadable !== undefined) {
    return new Failure(
      'cannot-read',
      `what is known of run_${digits} cannot be read: ${unreadable.reason}`,
      unreadable.isUnread
        ? 'try again in a moment'
        : `inspect it: ls ${unreadable.directory}; its process is named first in the file pid`,
    );
  }
  const short = /^[0-9a-f]{1,3}$/.test(digits) ? `; an id needs at least ${idCharsMin} characters` : '';
  return new Failure(
    'no-such-run',
    `there is no run ${JSON.stringify(id)}`,
    `list the runs: unstuck list${short}`,
  );
}

/** Oldest first. */
export function runsLike(
  runs: Iterable<BackgroundRun>,
  { task, owner, status, tag }: RunFilter,
): BackgroundRun[] {
  return [...runs]
    .filter(
      (run) =>
        (task === undefined || run.record.background.task === task) &&
        (owner === undefined || run.record.background.owner === owner) &&
        (status === undefined || run.status === status) &&
        (tag === undefined || run.record.background.tags.includes(tag)),
    )
    .sort((a, b) => a.startedMs - b.startedMs);
}

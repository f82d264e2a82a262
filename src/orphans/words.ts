import type { OrphanEvidence, OrphanRun } from '../model/orphan.js';
import type { RunFacts } from './facts.js';
import type { Finding } from './judge-orphans.js';

function nameOf({ id, label }: OrphanRun): string {
  return label === null ? id : `${label} (${id})`;
}

const ends: Record<RunFacts['state'], (run: string) => string> = {
  lives: (run) => `part of run ${run}, which is still running`,
  over: (run) => `its run ${run} has ended`,
  adrift: (run) => `the supervisor of its run ${run} is gone`,
  gone: (run) => `its run ${run} was removed`,
};

const proofs: Record<OrphanEvidence, (finding: Pick<Finding, 'parent' | 'pattern'>) => string> = {
  recorded: () => 'it is the command of the run',
  'run-id': () => 'its environment names the run',
  descendant: ({ parent }) => `a child of orphan ${parent} without the mark of the run`,
  group: () => 'it is in the process group of the command',
  session: () => 'it is in the session of the command',
  lineage: () => 'it was seen in the run before it left its session',
  pattern: ({ pattern }) => `looks like ${pattern}, runs in a project directory, and its parent has ended`,
};

/** One sentence: why it is an orphan, and the strongest evidence. */
export function reasonOf(
  { evidence, parent, pattern }: Pick<Finding, 'evidence' | 'parent' | 'pattern'>,
  run: OrphanRun | null,
  state: RunFacts['state'] | null,
): string {
  const [strongest] = evidence;
  const proof =
    strongest === undefined ? 'no evidence ties it to a run' : proofs[strongest]({ parent, pattern });
  return run === null || state === null ? proof : `${ends[state](nameOf(run))}: ${proof}`;
}

export const notProven = 'not proven to belong to a run';

/** Why an orphan could not be stopped. */
export const troubles = {
  'not-permitted': 'not permitted (EPERM)',
  'identity-unproven': 'its identity could not be checked, so it was not signalled',
  survived: 'it did not end after SIGKILL',
  foreign: 'it runs as another user',
  ancestor: 'it is an ancestor of this command or a system process',
} as const;

export type Trouble = keyof typeof troubles;

const needsRights: ReadonlySet<string> = new Set([troubles['not-permitted'], troubles.foreign]);

/** What to do about the rest; null: nothing would help. */
export function tipFor(left: readonly { result: string; because: string | null }[]): string | null {
  const unproven = left.filter(({ because }) => because === notProven).length;
  const forbidden = left.filter(({ because }) => because !== null && needsRights.has(because)).length;
  const tips = [
    ...(unproven > 0
      ? [`${unproven} not proven to belong to a run: check the list, then add --force to stop them too`]
      : []),
    ...(forbidden > 0 ? [`${forbidden} owned by another user: run it again with sudo`] : []),
  ];
  return tips.length === 0 ? null : tips.join('; ');
}

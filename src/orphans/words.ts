import type { OrphanEvidence, OrphanRun } from '../model/orphan.js';
import type { RunFacts } from './facts.js';
import type { Finding } from './judge-orphans.js';

function nameOf({ id, label }: OrphanRun): string {
  return label === null ? id : `${label} (${id})`;
}

const ends: Record<RunFacts['state'], (run: string) => string> = {
  lives: (run) => `part of the run ${run}, which goes on`,
  over: (run) => `its run ${run} has ended`,
  adrift: (run) => `nobody looks after its run ${run} any more`,
  gone: (run) => `nothing is left of its run ${run}`,
};

const proofs: Record<OrphanEvidence, (finding: Pick<Finding, 'parent' | 'pattern'>) => string> = {
  recorded: () => 'it is the command that was started',
  'run-id': () => 'its environment names the run',
  descendant: ({ parent }) => `a child of ${parent}, whose run it does not name`,
  group: () => 'it is in the process group of the command',
  session: () => 'it is in the session of the command',
  lineage: () => 'it was seen in the run before it left its session',
  pattern: ({ pattern }) => `looks like ${pattern}, runs in a project directory, and its parent has ended`,
};

/** One sentence: why it is an orphan, and, by the strongest evidence, why it is ours or may be. */
export function reasonOf(
  { evidence, parent, pattern }: Pick<Finding, 'evidence' | 'parent' | 'pattern'>,
  run: OrphanRun | null,
  state: RunFacts['state'] | null,
): string {
  const [strongest] = evidence;
  const proof =
    strongest === undefined ? 'nothing tells that it is ours' : proofs[strongest]({ parent, pattern });
  return run === null || state === null ? proof : `${ends[state](nameOf(run))}: ${proof}`;
}

export const notProven = 'not proven to be ours';

/** Why one could not be stopped. */
export const troubles = {
  'not-permitted': 'not permitted (EPERM)',
  'identity-unproven': 'it could not be read who has this number now',
  survived: 'it did not end, not even by SIGKILL',
  foreign: 'it runs as another user',
  ancestor: 'it is one of those that started this command, or of the system',
} as const;

export type Trouble = keyof typeof troubles;

const needsRights: ReadonlySet<string> = new Set([troubles['not-permitted'], troubles.foreign]);

/** What helps with those that are left; null: nothing would. */
export function tipFor(left: readonly { result: string; because: string | null }[]): string | null {
  const unproven = left.filter(({ because }) => because === notProven).length;
  const forbidden = left.filter(({ because }) => because !== null && needsRights.has(because)).length;
  const tips = [
    ...(unproven > 0 ? [`${unproven} not proven to be ours: look at the list, --force stops them too`] : []),
    ...(forbidden > 0 ? [`${forbidden} not ours to stop: try it with sudo`] : []),
  ];
  return tips.length === 0 ? null : tips.join('; ');
}

import { Failure } from '../../../model/failure.js';
import type { JsonFlag } from '../../shared/call.js';
import type { WhichFlags } from '../orphans/which.js';

/** `--orphans` and `--port`. */
export interface OrphanKillFlags extends WhichFlags, JsonFlag {
  orphans?: true | undefined;
  port?: string | undefined;
  dryRun?: true | undefined;
  force?: true | undefined;
  grace?: string | undefined;
}

export interface KillFlags extends OrphanKillFlags, JsonFlag {
  all?: true | undefined;
  task?: string | undefined;
  owner?: string | undefined;
  tag?: string | undefined;
}

export const graceMsMax = 3_600_000;

/** Checks that the runs are given in one way: ids, what they have in common, or all. */
export function checkWhich(ids: readonly string[], { all, task, owner, tag }: KillFlags): void {
  const some = task !== undefined || owner !== undefined || tag !== undefined;
  const many = all === true || some;
  if (!many && ids.length === 0) {
    throw new Failure(
      'bad-input',
      'no run given',
      'give an id: unstuck kill ID, or several runs: unstuck kill --task NAME, --owner NAME, --tag WORD, --all, --orphans',
    );
  }
  if (many && ids.length > 0) {
    throw new Failure(
      'bad-input',
      'ids cannot be combined with --all, --task, --owner or --tag',
      'leave out one of them',
    );
  }
  if (all && some) {
    throw new Failure(
      'bad-input',
      '--all cannot be combined with --task, --owner or --tag',
      'leave out one of them',
    );
  }
}

type Named = readonly (readonly [name: string, value: unknown])[];

const given = (flags: Named) => flags.filter(([, value]) => value !== undefined).map(([name]) => name);

/** Options for orphans and for runs exclude each other: an extra argument must not kill too much. */
export function checkOrphanFlags(ids: readonly string[], flags: KillFlags): void {
  const { all, task, owner, tag, orphans, port, dryRun, force, olderThan, pattern, dir, on } = flags;
  const which = given([
    ['--orphans', orphans],
    ['--port', port],
    ['--all', all],
    ['--task', task],
    ['--owner', owner],
    ['--tag', tag],
    ['an id', ids[0]],
  ]);
  const isOurs = orphans !== undefined || port !== undefined;
  if (isOurs && which.length > 1) {
    throw new Failure('bad-input', `${which.join(' and ')} cannot be combined`, 'leave out all but one');
  }
  const search: Named = [
    ['--older-than', olderThan],
    ['--pattern', pattern],
    ['--dir', dir],
    ['--on', on],
  ];
  const both: Named = [
    ['--dry-run', dryRun],
    ['--force', force],
  ];
  const [misplaced] = given([...(isOurs ? [] : both), ...(orphans === undefined ? search : [])]);
  if (misplaced === undefined) return;
  const needed = search.some(([name]) => name === misplaced) ? '--orphans' : '--orphans or --port';
  throw new Failure(
    'bad-input',
    `${misplaced} needs ${needed}`,
    'leave it out; to stop orphans: unstuck kill --orphans',
  );
}

import type { PartRoot } from '../../model/facts/identity.js';
import type { Finding, VerdictKind } from '../../model/verdict.js';
import type { Member, MemberScan, ScanOptions } from '../../probe/members.js';
import type { MemberSource } from './terminate.js';

/**
 * The processes of one part of a run: its root, all descendants, and the groups and sessions that these lead. Only
 * proven members of the run are included, so nothing outside the run is ever signalled.
 */
export class PartMembers implements MemberSource {
  readonly #run: Pick<MemberScan, 'shim' | 'isWhole' | 'scan'>;
  readonly #root: PartRoot;
  /** Start times by pid: a process that lost its parent meanwhile still belongs to the part. */
  readonly #known = new Map<number, number>();

  constructor(run: Pick<MemberScan, 'shim' | 'isWhole' | 'scan'>, root: PartRoot) {
    this.#run = run;
    this.#root = root;
  }

  get shim(): number | null {
    return this.#run.shim;
  }

  get isWhole(): boolean {
    return this.#run.isWhole;
  }

  scan(options?: ScanOptions): Member[] {
    const members = this.#run.scan(options);
    const part = new Map<number, Member>();
    for (let before = -1; before !== part.size; ) {
      before = part.size;
      for (const member of members) if (this.#belongs(member, part)) part.set(member.pid, member);
    }
    for (const { pid, startTicks } of part.values()) this.#known.set(pid, startTicks);
    return [...part.values()];
  }

  #belongs({ pid, startTicks, parent, group, session }: Member, part: ReadonlyMap<number, Member>): boolean {
    if (part.has(pid)) return true;
    if (pid === this.#root.pid) return startTicks === this.#root.startTicks;
    return (
      this.#known.get(pid) === startTicks ||
      part.has(parent) ||
      (group !== pid && part.has(group)) ||
      (session !== pid && part.has(session))
    );
  }
}

/** Work beside the stuck threads of a process that matters more than ending those threads. */
const useful: ReadonlySet<VerdictKind> = new Set(['working', 'service', 'network']);

/**
 * Whether `--kill-stuck part` may stop the subject of a finding. A process of which only some threads are stuck is
 * stopped only if the others merely wait. A process that serves, works or talks to another machine is reported and left
 * alone.
 */
export function mayStopPart({ inside }: Finding): boolean {
  return inside === undefined || !useful.has(inside.beside);
}

type Ends = Pick<Finding, 'root' | 'end'>;

/**
 * How much of a stuck part is stopped. First only the process at its end, with all that it started: its parents then
 * see a command that failed, and end or go on by themselves (a shell returns 128 + the signal). The whole part is
 * stopped when it is found stuck again.
 */
export class PartClaims {
  readonly #ends = new Set<string>();
  readonly #roots = new Set<string>();

  /** The topmost process to stop now; null: the process at the end of the part was stopped, or is being stopped. */
  claim({ root, end }: Ends): PartRoot | null {
    if (this.#ends.has(keyOf(end))) return null;
    const isAgain = this.#roots.has(keyOf(root));
    this.#ends.add(keyOf(end));
    this.#roots.add(keyOf(root));
    return isAgain ? root : end;
  }

  /** It could not be stopped, and may be claimed again. */
  release({ root, end }: Ends): void {
    this.#ends.delete(keyOf(end));
    this.#roots.delete(keyOf(root));
  }
}

function keyOf({ pid, startTicks }: PartRoot): string {
  return `${pid} ${startTicks}`;
}

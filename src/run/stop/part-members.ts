import type { Member, MemberScan, ScanOptions } from '../../probe/members.js';
import type { MemberSource } from './terminate.js';

/** Which process of a run is the topmost of the part. */
export interface PartRoot {
  pid: number;
  startTicks: number;
}

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

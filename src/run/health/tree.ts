import type { ProcessIdentity } from '../../model/facts/identity.js';
import { MemberScan, type MemberScanOptions } from '../../probe/members.js';

/** The command and everything that belongs to it. */
export interface Tree {
  leader: ProcessIdentity;
  scan: MemberScan;
}

/** The scan runs on demand, because it reads all processes of the machine. */
export function treeOf(options: MemberScanOptions): Tree {
  let scan: MemberScan | null = null;
  return {
    leader: options.leader,
    get scan() {
      scan ??= new MemberScan(options);
      return scan;
    },
  };
}

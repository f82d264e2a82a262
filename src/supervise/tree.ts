import type { ProcessIdentity } from '../model/identity.js';
import type { MemberScan } from '../probe/linux/members.js';

/** The command, and all that belongs to it. */
export interface Tree {
  leader: ProcessIdentity;
  scan: MemberScan;
}

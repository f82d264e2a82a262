import type { ThreadFacts } from './snapshot.js';

/** Through this file a process decides about the calls of others (seccomp user notification); it names none of them. */
export const filterListener = 'anon_inode:seccomp notify';

/** The kernel shows the call that was made, not that another process has yet to let it happen. */
export function isHeldByFilter({ wchan }: Pick<ThreadFacts, 'wchan'>): boolean {
  return wchan !== null && /seccomp/.test(wchan);
}

/** Held on the way into or inside the call: by a fault that another process answers, a watcher of files, a freezer. */
const heldElsewhere = /userfault|fanotify|get_signal|refrigerator|freez|ptrace/;

export function isHeldElsewhere({ wchan }: Pick<ThreadFacts, 'wchan'>): boolean {
  return wchan !== null && heldElsewhere.test(wchan);
}

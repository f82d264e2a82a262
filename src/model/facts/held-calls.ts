import type { ThreadFacts } from './snapshot.js';

/**
 * With this file a process decides about the calls of others (seccomp user notification); it does not name those
 * processes.
 */
export const filterListener = 'anon_inode:seccomp notify';

/** The kernel shows the call, not that another process has yet to allow it. */
export function isHeldByFilter({ wchan }: Pick<ThreadFacts, 'wchan'>): boolean {
  return wchan !== null && /seccomp/.test(wchan);
}

/** Blocked before or inside the call: by a page fault that another process handles, by fanotify, by a freezer. */
const heldElsewhere = /userfault|fanotify|get_signal|refrigerator|freez|ptrace/;

export function isHeldElsewhere({ wchan }: Pick<ThreadFacts, 'wchan'>): boolean {
  return wchan !== null && heldElsewhere.test(wchan);
}

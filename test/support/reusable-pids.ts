import { spawnSync } from 'node:child_process';

const isRoot = process.getuid?.() === 0;

/** Runs a command as the first process of its own pid namespace. */
export const ownPids = ['unshare', ...(isRoot ? [] : ['-Ur']), '-pf', '--mount-proc', '--kill-child'];

const [unshare = '', ...flags] = ownPids;

/** There, the pid of a process that has ended can be given again. */
export const canReusePids =
  spawnSync(unshare, [...flags, 'test', '-w', '/proc/sys/kernel/ns_last_pid']).status === 0;

/** The same, with a shell as the first process: it collects orphans that have ended, which frees their numbers. */
export const reaping = [...ownPids, 'sh', '-c', '"$@"; exit $?', 'sh'];

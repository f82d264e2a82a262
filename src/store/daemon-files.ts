import path from 'node:path';

/** Files of the daemon in the state home, besides the runs. */
export const daemonFiles = {
  /** Locked while a daemon lives; holds its identity. Never removed. */
  lock: 'daemon.lock',
  socket: 'daemon.sock',
  log: 'daemon.log',
  oldLog: 'daemon.log.old',
  notices: 'notices.jsonl',
  noticesDraft: 'notices.jsonl.tmp',
  consumers: 'consumers.json',
  consumersDraft: '.consumers.json.tmp',
  breaker: 'breaker.json',
  breakerDraft: '.breaker.json.tmp',
  orphans: 'orphans.log',
  oldOrphans: 'orphans.log.old',
  projects: 'projects.json',
  /** What `unstuck hook install` has written, and where. */
  hooks: 'hooks.json',
  hooksDraft: '.hooks.json.tmp',
  /** The fleet this machine has joined, with its login. */
  fleet: 'fleet.json',
  fleetDraft: '.fleet.json.tmp',
  /** Failures of hooks, which agents do not show. */
  hookLog: 'hooks.log',
} as const;

export function daemonFile(home: string, name: keyof typeof daemonFiles): string {
  return path.join(home, daemonFiles[name]);
}

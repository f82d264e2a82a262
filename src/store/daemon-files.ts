import path from 'node:path';

/** What the daemon keeps in the state home beside the runs. */
export const daemonFiles = {
  /** Locked by the kernel as long as a daemon lives; says who it is. Never removed. */
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
} as const;

export function daemonFile(home: string, name: keyof typeof daemonFiles): string {
  return path.join(home, daemonFiles[name]);
}

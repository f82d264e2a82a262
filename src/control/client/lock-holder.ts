import type { ProcessIdentity } from '../../model/facts/identity.js';
import { livenessOf } from '../../probe/processes.js';
import { daemonFile } from '../../store/daemon-files.js';
import { readJson } from '../../store/files.js';

/** Content of the lock file of a daemon. */
export interface LockHolder {
  identity: ProcessIdentity;
  version: string;
  startedAt: string;
}

const lockBytesMax = 4096;

/** The last holder of the lock, unless that process has ended. */
export function livingHolder(home: string): LockHolder | null {
  const holder = readHolder(home);
  return holder !== null && livenessOf(holder.identity) !== 'ended' ? holder : null;
}

function readHolder(home: string): LockHolder | null {
  const saved = readJson(daemonFile(home, 'lock'), lockBytesMax);
  // When it cannot be read, a second daemon that is started finds the lock taken.
  const content = saved.kind === 'known' ? saved.value : null;
  const { identity, version, startedAt } = (content ?? {}) as Partial<LockHolder>;
  const isWhole =
    typeof identity?.bootId === 'string' &&
    Number.isSafeInteger(identity.pid) &&
    Number.isSafeInteger(identity.startTicks);
  return isWhole ? { identity, version: String(version), startedAt: String(startedAt) } : null;
}

import type { ProcessIdentity } from '../../model/identity.js';
import { isAlive } from '../../probe/linux/is-alive.js';
import { daemonFile } from '../../store/daemon-files.js';
import { readJson } from '../../store/read-json.js';

/** What a daemon writes into its lock. */
export interface LockHolder {
  identity: ProcessIdentity;
  version: string;
  startedAt: string;
}

const lockBytesMax = 4096;

/** Who had the lock last, if that process is still alive. */
export function livingHolder(home: string): LockHolder | null {
  const holder = readHolder(home);
  return holder !== null && isAlive(holder.identity) ? holder : null;
}

function readHolder(home: string): LockHolder | null {
  const saved = (readJson(daemonFile(home, 'lock'), lockBytesMax) ?? {}) as Partial<LockHolder>;
  const { identity, version, startedAt } = saved;
  const isWhole =
    typeof identity?.bootId === 'string' &&
    Number.isSafeInteger(identity.pid) &&
    Number.isSafeInteger(identity.startTicks);
  return isWhole ? { identity, version: String(version), startedAt: String(startedAt) } : null;
}

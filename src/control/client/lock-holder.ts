import fs from 'node:fs';
import type { ProcessIdentity } from '../../model/identity.js';
import { isAlive } from '../../probe/linux/is-alive.js';
import { daemonFile } from '../../store/daemon-files.js';

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
  try {
    const file = daemonFile(home, 'lock');
    if (fs.statSync(file).size > lockBytesMax) return null;
    const { identity, version, startedAt } = JSON.parse(fs.readFileSync(file, 'utf8')) as LockHolder;
    const isWhole =
      typeof identity.bootId === 'string' &&
      Number.isSafeInteger(identity.pid) &&
      Number.isSafeInteger(identity.startTicks);
    return isWhole ? { identity, version: String(version), startedAt: String(startedAt) } : null;
  } catch {
    return null;
  }
}

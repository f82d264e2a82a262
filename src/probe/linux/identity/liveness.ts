import { isAbsent } from '../../../model/facts/absence.js';
import { matchIdentity, type ProcessIdentity } from '../../../model/facts/identity.js';
import { bootId } from './identify.js';
import { readRow } from './process-row.js';

/**
 * `ended`: proven, and also a zombie whose parent has not waited for it. `unknown`: /proc could not be read; the process
 * may live.
 */
export type Liveness = 'alive' | 'ended' | 'unknown';

/** Whether a process exists this instant. */
export function livenessOf(identity: ProcessIdentity): Liveness {
  const row = readRow(identity.pid);
  if (isAbsent(row)) return row.absent === 'gone' ? 'ended' : 'unknown';
  const { pid, startTicks, ended } = row;
  const boot = bootId();
  // Another start time is another process, in every boot.
  const isComparable = boot !== '' && identity.bootId !== '';
  const match = matchIdentity(identity, { pid, startTicks, ...(isComparable && { bootId: boot }) });
  if (match === 'uncertain') return 'unknown';
  return match === 'same' && !ended ? 'alive' : 'ended';
}

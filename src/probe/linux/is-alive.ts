import { isAbsent } from '../../model/absence.js';
import { matchIdentity, type ProcessIdentity } from '../../model/identity.js';
import { bootId } from './identify.js';
import { readRow } from './process-row.js';

/** Proven to be there this instant, and more than a zombie that nobody has waited for. */
export function isAlive(identity: ProcessIdentity): boolean {
  const row = readRow(identity.pid);
  if (isAbsent(row) || row.ended) return false;
  const { pid, startTicks } = row;
  return matchIdentity(identity, { bootId: bootId(), pid, startTicks }) === 'same';
}

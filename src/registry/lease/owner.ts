import { isAbsent } from '../../model/facts/absence.js';
import { matchIdentity, type ProcessIdentity } from '../../model/facts/identity.js';
import { Failure } from '../../model/failure.js';
import type { HandOver, Lease, LeaseEnd } from '../../model/run/lease.js';
import { bootId, identify, readRow } from '../../probe/processes.js';
import type { OwnerStanding } from './state.js';

/** What `start` is asked for, checked for its form only. */
export interface LeaseRequest {
  pid?: number | undefined;
  /** Of whoever had that number when it was read; without it whoever has it now. */
  startTicks?: number | undefined;
  whenGone: LeaseEnd;
  delayS: number;
  handOver?: HandOver | undefined;
}

/** A number that somebody else has by now counts as gone; what cannot be read does not. */
export function standingOfOwner(owner: ProcessIdentity): OwnerStanding {
  const row = readRow(owner.pid);
  if (isAbsent(row)) return row.absent === 'gone' ? 'gone' : 'unknown';
  const boot = bootId();
  if (boot === '') return 'unknown';
  const { pid, startTicks } = row;
  return matchIdentity(owner, { bootId: boot, pid, startTicks }) === 'same' && !row.ended ? 'there' : 'gone';
}

/** Throws a Failure when there is no such owner. */
export function leaseOf({ pid, startTicks, whenGone, delayS, handOver }: LeaseRequest): Lease {
  if (pid === undefined) {
    throw new Failure('bad-input', 'the lease has no owner', 'give its pid, such as --lease pid:1234');
  }
  const owner = identify(pid);
  const isMeant = startTicks === undefined || owner?.startTicks === startTicks;
  if (owner === null || !isMeant || standingOfOwner(owner) !== 'there') {
    throw new Failure(
      'no-such-process',
      `the owner of the lease, process ${pid}, is not there`,
      'name one that lives: --lease pid:PID, or --lease parent',
    );
  }
  const lease = { owner, whenGone, delayMs: Math.round(delayS * 1000) };
  return handOver === undefined ? lease : { ...lease, handOver };
}

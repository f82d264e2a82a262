import { isAbsent } from '../../model/facts/absence.js';
import { matchIdentity, type ProcessIdentity } from '../../model/facts/identity.js';
import { Failure } from '../../model/failure.js';
import type { HandOver, Lease, LeaseEnd } from '../../model/run/lease.js';
import { bootId, identify, readRow } from '../../probe/processes.js';
import type { OwnerStanding } from './state.js';

/** The lease part of a `start` request. Only its form is checked. */
export interface LeaseRequest {
  pid?: number | undefined;
  /** Start time of the process that had the pid when it was read. Default: the present process with that pid. */
  startTicks?: number | undefined;
  whenGone: LeaseEnd;
  delayS: number;
  handOver?: HandOver | undefined;
}

/** An owner whose pid was reused counts as gone. An owner that cannot be read does not. */
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
      'name a live process: --lease pid:PID, or --lease parent',
    );
  }
  const lease = { owner, whenGone, delayMs: Math.round(delayS * 1000) };
  return handOver === undefined ? lease : { ...lease, handOver };
}

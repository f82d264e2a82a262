import { type LeaseOwner, leaseOwner } from '../../../control/lease-owner.js';
import type { OperationInput } from '../../../control/operations/table.js';
import { Failure } from '../../../model/failure.js';
import { type LeaseEnd, leaseDelaySMax } from '../../../model/run/lease.js';
import { readDuration } from '../../shared/read-duration.js';

/** Flags of `start` about the lease. */
export interface LeaseFlags {
  lease?: string | undefined;
  whenGone?: LeaseEnd | undefined;
  leaseDelay?: string | undefined;
}

function readOwner(text: string): LeaseOwner {
  if (text === 'parent' || text === 'terminal') return text;
  const pid = /^pid:(\d+)$/.exec(text)?.[1];
  if (pid !== undefined) return { pid };
  throw new Failure(
    'bad-input',
    `--lease is ${JSON.stringify(text)}, which is not one of pid:PID, parent, terminal`,
    'write it like this: --lease pid:1234, --lease parent, --lease terminal',
  );
}

/** undefined: no lease. */
export function readLease({ lease, whenGone, leaseDelay }: LeaseFlags): OperationInput<'start'>['lease'] {
  if (lease === undefined) {
    const misplaced =
      whenGone !== undefined ? '--when-gone' : leaseDelay !== undefined ? '--lease-delay' : null;
    if (misplaced === null) return undefined;
    throw new Failure('bad-input', `${misplaced} needs --lease`, 'add an owner: --lease parent');
  }
  if (leaseDelay !== undefined && whenGone !== 'stop') {
    throw new Failure('bad-input', '--lease-delay needs --when-gone stop', 'add --when-gone stop');
  }
  const delayS =
    leaseDelay === undefined
      ? undefined
      : readDuration('--lease-delay', leaseDelay, 0, leaseDelaySMax * 1000) / 1000;
  return {
    ...leaseOwner(readOwner(lease)),
    ...(whenGone !== undefined && { whenGone }),
    ...(delayS !== undefined && { delayS }),
  };
}

import { leaseOwner, type LeaseOwner } from '../../control/lease-owner.js';
import type { OperationInput } from '../../control/operations/table.js';
import { Failure } from '../../model/failure.js';
import { type LeaseEnd, leaseDelaySMax } from '../../model/lease.js';
import { readDuration } from '../read-duration.js';

/** What `start` is told about whose run it is. */
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

/** undefined: nobody owns it. */
export function readLease({ lease, whenGone, leaseDelay }: LeaseFlags): OperationInput<'start'>['lease'] {
  if (lease === undefined) {
    const lost = whenGone !== undefined ? '--when-gone' : leaseDelay !== undefined ? '--lease-delay' : null;
    if (lost === null) return undefined;
    throw new Failure('bad-input', `${lost} goes with --lease only`, 'say whose it is: --lease parent');
  }
  if (leaseDelay !== undefined && whenGone !== 'stop') {
    throw new Failure('bad-input', '--lease-delay, but nothing is stopped', 'add --when-gone stop');
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

import type { OperationInput } from '../../../control/operations/table.js';
import { Failure } from '../../../model/failure.js';
import { restartDelayMsMax, restartDelayMsMin } from '../../../model/run/restart.js';
import { readDuration } from '../../shared/read-duration.js';
import { readWhole } from '../../shared/read-whole.js';

/** Flags of `start` about restarts. */
export interface RestartFlags {
  restart?: 'on-failure' | 'always' | undefined;
  restartMax?: string | undefined;
  restartDelay?: string | undefined;
}

const attemptsMax = 1_000_000;

/** undefined: it is not started again. */
export function readRestart(flags: RestartFlags): OperationInput<'start'>['restart'] {
  const { restart, restartMax, restartDelay } = flags;
  if (restart === undefined) {
    const misplaced =
      restartMax !== undefined ? '--restart-max' : restartDelay !== undefined ? '--restart-delay' : null;
    if (misplaced === null) return undefined;
    throw new Failure('bad-input', `${misplaced} needs --restart`, 'add --restart on-failure');
  }
  return {
    on: restart,
    ...(restartMax !== undefined && { max: readWhole('--restart-max', restartMax, 1, attemptsMax) }),
    ...(restartDelay !== undefined && {
      delayS: readDuration('--restart-delay', restartDelay, restartDelayMsMin, restartDelayMsMax) / 1000,
    }),
  };
}

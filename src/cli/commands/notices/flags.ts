import { checkOwnConsumer } from '../../../control/follow-notices.js';
import { Failure } from '../../../model/failure.js';
import type { JsonFlag } from '../../shared/call.js';

export interface NoticesFlags extends JsonFlag {
  follow?: true | undefined;
  ack?: true | undefined;
  ackTo?: string | undefined;
  consumer?: string | undefined;
  task?: string | undefined;
  owner?: string | undefined;
  tag?: string | undefined;
  limit?: string | undefined;
  bell?: true | undefined;
}

/** Checks combinations of flags. */
export function checkTogether(flags: NoticesFlags): void {
  const { follow, ack, ackTo, limit } = flags;
  if (ackTo !== undefined && (follow || ack)) {
    throw new Failure(
      'bad-input',
      `--ack-to prints nothing and cannot be combined with --${follow ? 'follow' : 'ack'}`,
      'leave out one of them',
    );
  }
  if (follow && limit !== undefined) {
    throw new Failure(
      'bad-input',
      '--follow prints all notices and cannot be combined with --limit',
      'leave out one of them',
    );
  }
  if (ack || ackTo !== undefined) checkOwnConsumer(flags);
}

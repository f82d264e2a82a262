import type { Stream } from '../../model/run/run.js';
import { createSender } from '../stop/send-signal.js';
import { drainsOf } from './drains.js';

/**
 * Ends the drain of one stream of the command (by SIGUSR1, as the shim expects it), so that the next write meets a
 * broken pipe. `command | head` has the same effect on a command.
 */
export function stopDraining(shim: number, stream: Stream): void {
  const send = createSender(shim);
  const other = stream === 'stdout' ? 'stderr.log' : 'stdout.log';
  for (const drain of drainsOf(shim)) if (!drain.target.endsWith(other)) send(drain, 'SIGUSR1');
}

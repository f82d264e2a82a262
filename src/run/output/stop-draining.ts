import type { Stream } from '../../model/run/run.js';
import { createSender } from '../stop/send-signal.js';
import { drainsOf } from './drains.js';

/**
 * Ends whoever drains a stream of the command (by SIGUSR1, as the shim expects it), so that its next write meets a
 * broken pipe: what `command | head` does to a command without us.
 */
export function stopDraining(keeper: number, stream: Stream): void {
  const send = createSender(keeper);
  const other = stream === 'stdout' ? 'stderr.log' : 'stdout.log';
  for (const drain of drainsOf(keeper)) if (!drain.target.endsWith(other)) send(drain, 'SIGUSR1');
}

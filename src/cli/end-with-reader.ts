import { Failure } from '../model/failure.js';
import { fail } from './fail.js';

/**
 * A reader that has seen enough (`| head`) is no failure; output that cannot be written for another reason (a full disk)
 * is one, and is said where it still can be. For commands that have nothing to clean up.
 */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') fail(unwritten(error), false);
    process.exit();
  });
}

function unwritten(cause: Error): Failure {
  return new Failure(
    'cannot-write',
    `the output could not be written: ${cause.message}`,
    'what was asked for may be done all the same; make room, or send the output elsewhere',
    { cause },
  );
}

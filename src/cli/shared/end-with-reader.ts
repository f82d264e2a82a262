import { Failure } from '../../model/failure.js';
import { fail } from './fail.js';

/**
 * A reader that closes early (`| head`) is not an error. Output that cannot be written for another reason (a full disk)
 * is, and is reported on stderr. For commands that have nothing to clean up.
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
    `cannot write the output: ${cause.message}`,
    'the command may have taken effect; free some disk space, or send the output elsewhere',
    { cause },
  );
}

import { parts } from '../../../daemon/parts.js';
import { runDaemon } from '../../../daemon/run-daemon.js';
import { fail } from '../../shared/fail.js';

/** `unstuck daemon run`. */
export async function runDaemonHere(): Promise<void> {
  try {
    const end = await runDaemon(process.env, async () => parts);
    if (end === 'already') process.stderr.write('unstuck: the daemon is already running\n');
    // Open handles of supervised runs would keep this process alive.
    process.exit(0);
  } catch (error) {
    fail(error, false);
    process.exit();
  }
}

import { parseDuration } from '../../model/duration.js';
import { Failure } from '../../model/failure.js';

const idleMsDefault = 60_000;

/** How long a daemon with nothing to do stays; null: for ever. */
export function daemonIdleMs(env: NodeJS.ProcessEnv): number | null {
  const text = env.UNSTUCK_DAEMON_IDLE;
  if (!text) return idleMsDefault;
  const idleMs = parseDuration(text);
  if (idleMs === null) {
    throw new Failure(
      'bad-input',
      'UNSTUCK_DAEMON_IDLE is not a duration',
      'write it like 500ms, 90s or 10m; 0: the daemon stays for ever',
    );
  }
  return idleMs === 0 ? null : idleMs;
}

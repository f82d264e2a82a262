import os from 'node:os';
import path from 'node:path';

/** Where runs live: I3. */
export function stateHome(env: NodeJS.ProcessEnv = process.env): string {
  if (env.UNSTUCK_HOME) return path.resolve(env.UNSTUCK_HOME);
  // A relative XDG path is to be ignored, says its specification.
  const xdg = env.XDG_STATE_HOME;
  const state = xdg && path.isAbsolute(xdg) ? xdg : path.join(os.homedir(), '.local', 'state');
  return path.join(state, 'unstuck');
}

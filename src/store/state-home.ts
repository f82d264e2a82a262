import os from 'node:os';
import path from 'node:path';
import { Failure } from '../model/failure.js';

/** Where runs live: I3. */
export function stateHome(env: NodeJS.ProcessEnv = process.env): string {
  if (env.UNSTUCK_HOME) return path.resolve(env.UNSTUCK_HOME);
  // A relative XDG path is to be ignored, says its specification.
  const xdg = env.XDG_STATE_HOME;
  const state = xdg && path.isAbsolute(xdg) ? xdg : path.join(userHome(), '.local', 'state');
  return path.join(state, 'unstuck');
}

/** HOME may be empty or relative: nobody wants to find our files in whatever directory they were in. */
function userHome(): string {
  for (const find of [os.homedir, () => os.userInfo().homedir]) {
    try {
      const home = find();
      if (path.isAbsolute(home)) return home;
    } catch {
      // This user has no entry.
    }
  }
  throw new Failure(
    'cannot-write',
    'there is no home directory to keep runs in: HOME is not an absolute path, and this user has none',
    'set UNSTUCK_HOME to a directory of your own',
  );
}

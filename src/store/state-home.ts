import os from 'node:os';
import path from 'node:path';
import { Failure } from '../model/failure.js';

/** Where runs are kept. */
export function stateHome(env: NodeJS.ProcessEnv = process.env): string {
  if (env.UNSTUCK_HOME) return path.resolve(env.UNSTUCK_HOME);
  // The XDG specification says that a relative path is ignored.
  const xdg = env.XDG_STATE_HOME;
  const state = xdg && path.isAbsolute(xdg) ? xdg : path.join(userHome(), '.local', 'state');
  return path.join(state, 'unstuck');
}

/** HOME may be empty or relative: files must not land in the current directory. */
function userHome(): string {
  for (const find of [os.homedir, () => os.userInfo().homedir]) {
    try {
      const home = find();
      if (path.isAbsolute(home)) return home;
    } catch {
      // This user has no entry in the user database.
    }
  }
  throw new Failure(
    'cannot-write',
    'no home directory to keep runs in: HOME is not an absolute path, and this user has no home directory',
    'set UNSTUCK_HOME to a directory of your own',
  );
}

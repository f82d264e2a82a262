import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Failure } from '../model/failure.js';
import { daemonFiles } from './daemon-files.js';
import { makeDirectory } from './files.js';
import { historyFolder } from './history/history-files.js';

/** Permission bits that other users must not have. */
const foreignBits = 0o077;
const foreignWriteBits = 0o022;

const ours = new Set<string>(['runs', historyFolder, ...Object.values(daemonFiles)]);

/**
 * The state home, created if missing, and proven to belong to this user alone. A link is followed when its target does.
 */
export function privateHome(env: NodeJS.ProcessEnv = process.env): string {
  const home = stateHome(env);
  try {
    makeDirectory(home, 0o700);
    const { uid, mode } = fs.statSync(home);
    if (uid !== process.getuid?.()) throw notYours(home, uid);
    // Another user may have created it before the home was closed to others.
    const runs = path.join(home, 'runs');
    const there = fs.lstatSync(runs, { throwIfNoEntry: false });
    if (there !== undefined && there.uid !== uid) throw notYours(runs, there.uid);
    if ((mode & foreignBits) !== 0) closeToOthers(home, mode);
    fs.accessSync(home, fs.constants.W_OK | fs.constants.X_OK);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(
      'cannot-write',
      `cannot use the state directory ${home}: ${(error as Error).message}`,
      'set UNSTUCK_HOME to a directory that you may write to',
      { cause: error },
    );
  }
  return home;
}

function notYours(home: string, uid: number): Failure {
  return new Failure(
    'not-yours',
    `the state directory ${home} belongs to another user (uid ${uid})`,
    'set UNSTUCK_HOME to a directory of your own, or run the command as that user',
  );
}

/** Only when it holds nothing but files of Unstuck: UNSTUCK_HOME=/tmp must not close /tmp to other users. */
function closeToOthers(home: string, mode: number): void {
  if (fs.readdirSync(home).every((name) => ours.has(name))) {
    fs.chmodSync(home, 0o700);
    return;
  }
  if ((mode & foreignWriteBits) === 0) return;
  throw new Failure(
    'not-yours',
    `the state directory ${home} is writable by other users and holds files that are not from Unstuck`,
    'set UNSTUCK_HOME to a directory that only Unstuck uses',
  );
}

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

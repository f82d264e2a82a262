import fs from 'node:fs';
import path from 'node:path';
import { Failure } from '../model/failure.js';
import { daemonFiles } from './daemon-files.js';
import { makeDirectory } from './make-directory.js';
import { stateHome } from './state-home.js';

/** Nobody else may look into what is here, or put anything into it. */
const foreignBits = 0o077;
const foreignWriteBits = 0o022;

const ours = new Set<string>(['runs', ...Object.values(daemonFiles)]);

/** The state home, made if it is not there, and proven to be ours alone (I3). A link is fine when its target is. */
export function privateHome(env: NodeJS.ProcessEnv = process.env): string {
  const home = stateHome(env);
  try {
    makeDirectory(home, 0o700);
    const { uid, mode } = fs.statSync(home);
    if (uid !== process.getuid?.()) throw notYours(home, uid);
    // Somebody may have put his own here before it was closed to others.
    const runs = path.join(home, 'runs');
    const there = fs.lstatSync(runs, { throwIfNoEntry: false });
    if (there !== undefined && there.uid !== uid) throw notYours(runs, there.uid);
    if ((mode & foreignBits) !== 0) closeToOthers(home, mode);
    fs.accessSync(home, fs.constants.W_OK | fs.constants.X_OK);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(
      'cannot-write',
      `the state directory ${home} cannot be used: ${(error as Error).message}`,
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
    'set UNSTUCK_HOME to a directory of your own, or run this as that user',
  );
}

/** Only where nothing but ours is in it: UNSTUCK_HOME=/tmp must not close /tmp to everybody. */
function closeToOthers(home: string, mode: number): void {
  if (fs.readdirSync(home).every((name) => ours.has(name))) {
    fs.chmodSync(home, 0o700);
    return;
  }
  if ((mode & foreignWriteBits) === 0) return;
  throw new Failure(
    'not-yours',
    `other users may write to the state directory ${home}, and there is more in it than runs`,
    'set UNSTUCK_HOME to a directory that only Unstuck uses',
  );
}

import os from 'node:os';
import path from 'node:path';
import { isAbsent } from '../model/facts/absence.js';
import { readBytes } from '../probe/machine.js';
import { entryOf } from '../probe/processes.js';
import { stateHome } from '../store/state-home.js';

/**
 * Whether the environment of a process selects this state home. Only then does a missing run directory mean that the
 * run was removed; runs of other homes are not judged.
 */
export function namesHome(pid: number, home: string): boolean {
  const environ = readBytes(`/proc/${pid}/environ`);
  if (isAbsent(environ)) return false;
  const value = (name: string) => entryOf(environ, Buffer.from(`${name}=`)) ?? '';
  const env = { UNSTUCK_HOME: value('UNSTUCK_HOME'), XDG_STATE_HOME: value('XDG_STATE_HOME') };
  // The directory that a relative path started from is not known.
  if (env.UNSTUCK_HOME !== '' && !path.isAbsolute(env.UNSTUCK_HOME)) return false;
  const isNamed = env.UNSTUCK_HOME !== '' || path.isAbsolute(env.XDG_STATE_HOME);
  return (isNamed || value('HOME') === os.homedir()) && stateHome(env) === home;
}

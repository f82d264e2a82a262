import fs from 'node:fs';
import path from 'node:path';
import { Failure } from '../../model/failure.js';

/** Where execvp searches when PATH is not set (glibc). */
const pathDefault = '/bin:/usr/bin';

function isExecutableFile(file: string): boolean | null {
  try {
    if (fs.statSync(file).isDirectory()) return false;
  } catch {
    return null;
  }
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Checks what execvp would start. The check comes first, so that a typing error gets a message from Unstuck and the
 * exit codes of a shell (126, 127), not a failure of the program that starts it.
 */
export function checkProgram(name: string, cwd: string, env: NodeJS.ProcessEnv): void {
  if (name === '') {
    throw new Failure(
      'command-not-found',
      'the name of the command is empty',
      'name one: unstuck run -- npm test',
    );
  }
  const places = name.includes('/')
    ? [path.resolve(cwd, name)]
    : (env.PATH ?? pathDefault).split(':').map((place) => path.resolve(cwd, place, name));
  let found = false;
  for (const place of places) {
    const executable = isExecutableFile(place);
    if (executable === true) return;
    found ||= executable === false;
  }
  if (found) {
    throw new Failure(
      'cannot-execute',
      `cannot execute ${name}: it is not a program`,
      `make it one: chmod +x ${name}, or name its interpreter: unstuck run -- sh ${name}`,
    );
  }
  throw new Failure(
    'command-not-found',
    `no such command: ${name}`,
    name.includes(' ')
      ? `a command line in quotes needs a shell: unstuck run -- sh -c ${JSON.stringify(name)}`
      : 'check the spelling, and PATH',
  );
}

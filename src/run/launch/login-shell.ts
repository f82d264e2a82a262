import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Failure } from '../../model/failure.js';
import { posixStartUp, startUps } from './login-shell-startup.js';

const fallback = '/bin/sh';

/** MAX_ARG_STRLEN of the kernel: execve(2). */
const lineBytesMax = 32 * 4096 - 1;

/** Separates the start-up files from the streams of the run. The real standard descriptors are saved as 7, 8 and 9. */
const quietly = 'exec "$@" 7<&0 8>&1 9>&2 </dev/null >/dev/null 2>&1';

/**
 * Runs a line as the user's login shell would run it at a prompt, with everything that the start-up files set, but
 * without job control and without the output of those files. Every step execs the next one, so no extra shell remains
 * between Unstuck and the program that a shell would run.
 *
 * A start-up file that ends the shell, or execs another program, ends the run.
 */
export function loginShellCommand(
  line: string,
  env: NodeJS.ProcessEnv,
  { shell }: { shell?: string } = {},
): string[] {
  if (Buffer.byteLength(line) > lineBytesMax) {
    throw new Failure(
      'too-large',
      `a command line of ${Buffer.byteLength(line)} bytes: no system takes more than ${lineBytesMax}`,
      'write it to a file, and start that',
    );
  }
  const program = usable(shell ?? env.SHELL ?? shellOfUser());
  const name = path.basename(program);
  const words = startUps.get(name) ?? posixStartUp;
  return [fallback, '-c', quietly, 'sh', program, ...words(name, line)];
}

/** A shell that forbids logins, or that cannot be kept quiet, is replaced by /bin/sh. */
function usable(shell: string): string {
  try {
    fs.accessSync(shell, fs.constants.X_OK);
    return path.isAbsolute(shell) && startUps.has(path.basename(shell)) ? shell : fallback;
  } catch {
    return fallback;
  }
}

function shellOfUser(): string {
  try {
    return os.userInfo().shell ?? fallback;
  } catch {
    // The user has no line in /etc/passwd, as in containers.
    return fallback;
  }
}

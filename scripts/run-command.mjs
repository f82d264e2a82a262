import { spawn } from 'node:child_process';

/** @type {import('node:child_process').ChildProcess | undefined} */
let current;
let interrupted = false;

/** From here on a signal ends the running command, and then the script goes through its `finally` blocks. */
export function interruptGently() {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => {
      interrupted = true;
      // Ctrl-C reaches the whole foreground group; a second one would make vitest skip its own cleaning up.
      if (signal !== 'SIGINT') current?.kill(signal);
    });
  }
}

export function wasInterrupted() {
  return interrupted;
}

/**
 * Runs a command with our output as its own.
 * @param {string[]} argv
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, timeoutMs: number }} options
 * @returns {Promise<boolean>} true when it ended with 0
 */
export function runCommand([command, ...args], { cwd, env, timeoutMs }) {
  if (interrupted || command === undefined) return Promise.resolve(false);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] });
    current = child;
    const timer = setTimeout(() => {
      console.log(`no end after ${timeoutMs / 60_000} minutes: killed`);
      child.kill('SIGKILL');
    }, timeoutMs);
    child.once('error', reject);
    child.once('exit', (exitCode) => {
      clearTimeout(timer);
      current = undefined;
      resolve(exitCode === 0);
    });
  });
}

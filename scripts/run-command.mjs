import { spawn } from 'node:child_process';

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
let interrupted = false;

/** From here on a signal ends the running commands, and then the script goes through its `finally` blocks. */
export function interruptGently() {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => {
      interrupted = true;
      // Ctrl-C reaches the whole foreground group; a second one would make vitest skip its own cleaning up.
      if (signal !== 'SIGINT') for (const child of running) child.kill(signal);
    });
  }
}

export function wasInterrupted() {
  return interrupted;
}

/**
 * Runs a command with our output as its own, or gives its output to `print`.
 * @param {string[]} argv
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, timeoutMs: number, print?: (text: string) => void }} options
 * @returns {Promise<boolean>} true when it ended with 0
 */
export function runCommand([command, ...args], { cwd, env, timeoutMs, print }) {
  if (interrupted || command === undefined) return Promise.resolve(false);
  return new Promise((resolve, reject) => {
    const output = print === undefined ? 'inherit' : 'pipe';
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', output, output] });
    running.add(child);
    child.stdout?.on('data', (chunk) => print?.(String(chunk)));
    child.stderr?.on('data', (chunk) => print?.(String(chunk)));
    const timer = setTimeout(() => {
      console.log(`no end after ${timeoutMs / 60_000} minutes: killed`);
      child.kill('SIGKILL');
    }, timeoutMs);
    child.once('error', reject);
    child.once('close', (exitCode) => {
      clearTimeout(timer);
      running.delete(child);
      resolve(exitCode === 0);
    });
  });
}

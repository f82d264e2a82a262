import { realpathSync } from 'node:fs';
import { codeOf, Problem } from './problem.mjs';

/**
 * Runs a script's main function, unless the script was only imported. Expected trouble becomes two plain
 * lines, a bug crashes loudly.
 * @param {ImportMeta} meta
 * @param {() => Promise<void> | void} main
 */
export async function runMain(meta, main) {
  const script = process.argv[1];
  if (!script || realpathSync(script) !== meta.filename) return;
  try {
    await main();
  } catch (error) {
    const problem = asProblem(error);
    if (!problem) throw error;
    process.stderr.write(`unstuck: ${problem.message}\nhint: ${problem.hint}\n`);
    process.exitCode = problem.exitCode;
  }
}

/** @param {unknown} error */
function asProblem(error) {
  if (error instanceof Problem) return error;
  switch (codeOf(error)) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new Problem(
        `no permission: ${/** @type {Error} */ (error).message}`,
        'make this directory and everything in it your own (dist and node_modules too), then run this again',
      );
    case 'ENOSPC':
    case 'EDQUOT':
      return new Problem('the disk is full', 'free some space (200 MB are needed), then run this again');
    default:
      return undefined;
  }
}

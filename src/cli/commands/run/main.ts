import { readRunArgv } from './argv.js';
import { runRun } from './run.js';

/** `unstuck run` as a bundle of its own; false: this argv needs the full parser. */
export async function runDirectly(words: readonly string[]): Promise<boolean> {
  const read = readRunArgv(words);
  if (read === null) return false;
  await runRun(read.command, read.flags);
  return true;
}

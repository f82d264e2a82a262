import { runRun } from './run.js';
import { readRunWords } from './run-words.js';

/** `unstuck run` in a bundle of its own; false: these words are for the parser of the whole command line. */
export async function runDirectly(words: readonly string[]): Promise<boolean> {
  const read = readRunWords(words);
  if (read === null) return false;
  await runRun(read.command, read.flags);
  return true;
}

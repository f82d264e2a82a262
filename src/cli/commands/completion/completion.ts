import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { endWithReader } from '../../shared/end-with-reader.js';
import { bashCompletion } from './bash.js';
import { fishCompletion } from './fish.js';
import { describeProgram, type ProgramCompletion } from './words.js';
import { zshCompletion } from './zsh.js';

export type Shell = 'bash' | 'zsh' | 'fish';

const writers: Record<Shell, (program: ProgramCompletion) => string> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

/** `unstuck completion`. */
export function runCompletion(shell: Shell, program: CommandUnknownOpts): void {
  endWithReader();
  process.stdout.write(writers[shell](describeProgram(program)));
}

import type { Command } from '@commander-js/extra-typings';
import { idHelp, inputCodes, json } from '../../shared/common-options.js';

/** `unstuck close`: names and help only. */
export function addCloseCommand(program: Command): void {
  program
    .command('close')
    .description('close the input of a run: it reads end of file')
    .argument('<id>', idHelp)
    .option(...json)
    .addHelpText(
      'after',
      `
Everything written before is still read.
${inputCodes}

Example:
  unstuck write 7c1e < data.csv && unstuck close 7c1e`,
    )
    .action(async (id, flags) => {
      const { runClose } = await import('./close.js');
      await runClose(id, flags);
    });
}

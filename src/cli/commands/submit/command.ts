import type { Command } from '@commander-js/extra-typings';
import { idHelp, inputCodes, json } from '../../shared/common-options.js';

/** `unstuck submit`: names and help only. */
export function addSubmitCommand(program: Command): void {
  program
    .command('submit')
    .description('write a line and Enter to the input of a run')
    .argument('<id>', idHelp)
    .argument('[text]', 'the line; nothing: Enter alone')
    .option(...json)
    .addHelpText(
      'after',
      `${inputCodes}

Examples:
  unstuck submit 7c1e yes
  unstuck submit 7c1e                    Enter alone`,
    )
    .action(async (id, text, flags) => {
      const { runSubmit } = await import('./submit.js');
      await runSubmit(id, text, flags);
    });
}

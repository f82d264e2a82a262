import type { Command } from '@commander-js/extra-typings';
import { idHelp, inputCodes, json } from '../../shared/common-options.js';

/** `unstuck write`: names and help only. */
export function addWriteCommand(program: Command): void {
  program
    .command('write')
    .description('write bytes to the input of a run')
    .argument('<id>', idHelp)
    .argument('[text]', 'text to write; - or nothing: read stdin')
    .option(...json)
    .addHelpText(
      'after',
      `
For runs started with --stdin or --pty. No newline is added: submit does that. All bytes arrive in
order and exactly once, also when the command reads them much later.
${inputCodes}

Examples:
  unstuck write 7c1e y
  unstuck write 7c1e $'\\x03'             Ctrl-C, for a run with --pty
  unstuck write 7c1e < data.bin`,
    )
    .action(async (id, text, flags) => {
      const { runWrite } = await import('./write.js');
      await runWrite(id, text, flags);
    });
}

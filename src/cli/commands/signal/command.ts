import type { Command } from '@commander-js/extra-typings';
import { codes, idHelp, json } from '../../shared/common-options.js';

/** `unstuck signal`: names and help only. */
export function addSignalCommand(program: Command): void {
  program
    .command('signal')
    .description('send a signal to a run')
    .argument('<id>', idHelp)
    .argument('<signal>', 'its name: HUP, INT, QUIT, USR1, USR2, ALRM, TERM or WINCH')
    .option(...json)
    .addHelpText(
      'after',
      `
INT, QUIT, HUP and WINCH go to the session of the command, as from a terminal, TERM to the whole tree, the others
to the command alone. To end a run use kill, to stop it for a while pause.
${codes}

Example:
  unstuck signal nginx HUP`,
    )
    .action(async (id, name, flags) => {
      const { runSignal } = await import('./signal.js');
      await runSignal(id, name, flags);
    });
}

import type { Command } from '@commander-js/extra-typings';
import { idHelp } from '../../shared/common-options.js';
import { detachKeysDefault } from './detach-keys.js';

/** `unstuck attach`: names and help only. */
export function addAttachCommand(program: Command): void {
  program
    .command('attach')
    .description('connect this terminal to a run')
    .argument('<id>', idHelp)
    .option('--detach-keys <keys>', 'keys that detach, such as ctrl-p,ctrl-q', detachKeysDefault)
    .addHelpText(
      'after',
      `
A run with --pty gets every key, Ctrl-C too, and the size of this terminal; the keys above detach, and the run
goes on. A run with --stdin gets lines; Ctrl-D closes its input, and Ctrl-C detaches.

Exit code: 0 after detaching, that of the run when it ended, 1 when there is no such run or it takes no input,
125 when Unstuck itself failed.

Examples:
  unstuck attach 7c1e
  unstuck attach 7c1e --detach-keys ctrl-p,ctrl-q`,
    )
    .action(async (id, flags) => {
      const { runAttach } = await import('./attach.js');
      await runAttach(id, flags);
    });
}

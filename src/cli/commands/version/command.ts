import type { Command } from '@commander-js/extra-typings';
import { json } from '../../shared/common-options.js';

/** `unstuck version`: the same as --version. */
export function addVersionCommand(program: Command): void {
  program
    .command('version')
    .description('print the version')
    .option(...json)
    .action(async (flags) => {
      const { printJson, say } = await import('../../output/print.js');
      if (flags.json) printJson({ version: __UNSTUCK_VERSION__ });
      else say(__UNSTUCK_VERSION__);
    });
}

import type { Command } from '@commander-js/extra-typings';

/** `unstuck config`: names and help only. */
export function addConfigCommand(program: Command): void {
  program
    .command('config')
    .description('show every setting of run, its value and its source')
    .option('--json', 'print the settings as one JSON object')
    .option('--explain <key>', 'print everything about one setting, also what was overridden')
    .addHelpText(
      'after',
      `
Precedence: flags, variables such as UNSTUCK_TIMEOUT, unstuck.json of the project (the nearest one from
here up to the directory with .git), ~/.config/unstuck/config.json, the preset, the defaults.

Examples:
  unstuck config                       every setting, its value and its source
  unstuck config --explain timeout     one setting: overridden values, allowed values`,
    )
    .action(async (options) => {
      const { runConfig } = await import('./config.js');
      runConfig(options);
    });
}

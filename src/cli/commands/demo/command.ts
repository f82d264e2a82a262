import type { Command } from '@commander-js/extra-typings';

/** `unstuck demo`: names and help only. */
export function addDemoCommand(program: Command): void {
  program
    .command('demo')
    .description('explain three real programs, as an example')
    .option('--json', 'print the answers as one JSON object per line')
    .action(async (options) => {
      const { runDemo } = await import('./demo.js');
      await runDemo(options);
    });
}

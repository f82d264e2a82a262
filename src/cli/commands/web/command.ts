import type { Command } from '@commander-js/extra-typings';

/** `unstuck web`: names and help only. */
export function addWebCommand(program: Command): void {
  program
    .command('web')
    .description('see and control all runs in the browser')
    .option('--port <number>', 'port to listen on; any free one if not given')
    .option('--read-only', 'show everything, and refuse every action')
    .option('--no-open', 'do not open the browser')
    .option('--json', 'print the link as one JSON object')
    .addHelpText(
      'after',
      `
Serves a dashboard on this machine (127.0.0.1) until Ctrl-C. The printed link works once, for one browser; press Enter
for another one. Without it every page is refused. Nothing is loaded from other machines, and nothing is sent there.

From another machine: ssh -L 8000:127.0.0.1:8000 HOST, and there: unstuck web --no-open --port 8000

Exit code: 0, also after Ctrl-C, 125 when Unstuck itself failed.

Examples:
  unstuck web
  unstuck web --read-only --port 8000
  unstuck web --no-open --json`,
    )
    .action(async (flags) => {
      const { runWeb } = await import('./web.js');
      await runWeb(flags);
    });
}

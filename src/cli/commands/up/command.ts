import type { Command } from '@commander-js/extra-typings';

/** `unstuck up`: names and help only. */
export function addUpCommand(program: Command): void {
  program
    .command('up')
    .description('start the commands of a file in order, each when those before it are ready')
    .argument('[file]', 'unstuck-up.json or .yaml, process-compose.yaml or Procfile; the one that is here')
    .option('-d, --detach', 'end when all are ready; they go on')
    .option('--keep', 'when one fails: leave the others running')
    .option('--json', 'print the answer as one JSON object; implies --detach')
    .addHelpText(
      'after',
      `
Each command is a background run with its name as label: unstuck log NAME, restart NAME, ps. Without --detach, up
waits until all have ended, and Ctrl-C means unstuck down. A command that is up already is left as it is.

  services:
    db:  { command: redis-server --port 6379, ready: { port: 6379 } }
    web: { command: [npm, start], after: [db], ready: { match: listening }, restart: on-failure }
    job: { command: ./seed.sh, after: [db], ready: { exit: true } }
  parallel: 4

Other keys of a service: cwd, env, readyTimeout (60s), restartMax, restartDelay. An unknown key, a circle in
after, two commands with one name and a port that is taken are errors before anything is started.

Exit code: 0 when all are ready (later: when all ended with 0), 1 when one of them ended with another code later,
125 when one did not get ready, the file is wrong or Unstuck itself failed, 130 after Ctrl-C.

Examples:
  unstuck up
  unstuck up -d process-compose.yaml && npm test; unstuck down process-compose.yaml`,
    )
    .action(async (file, flags) => {
      const { runUp } = await import('./up.js');
      await runUp(file, flags);
    });
}

import type { Command } from '@commander-js/extra-typings';

/** `unstuck daemon`: names and help only. */
export function addDaemonCommand(program: Command): void {
  const daemon = program
    .command('daemon')
    .description('start, stop or inspect the daemon that keeps background runs')
    .helpCommand(false)
    .addHelpText(
      'after',
      `
Commands that need the daemon start it. It exits after a minute without work (UNSTUCK_DAEMON_IDLE=10m; 0:
never). Runs do not depend on it: they go on when it exits or is killed, and the next daemon takes them over.

Exit code of status: 0 when it runs, 1 when it does not.

Examples:
  unstuck daemon status --json         its pid, version, number of runs and directories
  unstuck daemon stop                  stop it; the runs go on
  unstuck daemon unit                  a unit for systemd, with how to install it`,
    );

  daemon
    .command('start')
    .description('start it, if it does not run')
    .option('--json', 'print the answer as one JSON object')
    .action(async (options) => (await import('./daemon.js')).runDaemonStart(options));

  daemon
    .command('stop')
    .description('stop it; the runs go on')
    .option('--json', 'print the answer as one JSON object')
    .action(async (options) => (await import('./daemon.js')).runDaemonStop(options));

  daemon
    .command('status')
    .description('print whether it runs, and since when')
    .option('--json', 'print the answer as one JSON object')
    .action(async (options) => (await import('./daemon.js')).runDaemonStatus(options));

  // cli/main.ts runs it, from a bundle of its own.
  daemon.command('run').description('run the daemon in the foreground');

  daemon
    .command('unit')
    .description('print a systemd unit')
    .action(async () => (await import('./unit.js')).runDaemonUnit());
}

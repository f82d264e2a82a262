import type { Command } from '@commander-js/extra-typings';

/** `unstuck metrics`. */
export function addMetricsCommand(program: Command): void {
  program
    .command('metrics')
    .description('print or serve numbers about background runs, for Prometheus')
    .option(
      '--listen <address>',
      'serve them at http://ADDRESS/metrics until Ctrl-C; a port alone: this machine only',
    )
    .option('--json', 'with --listen: print the address as one JSON object')
    .addHelpText(
      'after',
      `
Runs started, ended by outcome, stopped, stuck, asking; durations; notices; orphans; cost of the daemon. Counters
begin at 0 when a daemon starts. No command, label or path is in them. No daemon is started for a scrape: without
one, unstuck_up is 0.

Exit code: 0, also after Ctrl-C, 125 when Unstuck itself failed.

Examples:
  unstuck metrics
  unstuck metrics --listen 127.0.0.1:9464`,
    )
    .action(async (flags) => {
      const { runMetrics } = await import('./metrics.js');
      await runMetrics(flags);
    });
}

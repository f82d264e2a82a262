import type { Command } from '@commander-js/extra-typings';
import { json } from '../../shared/common-options.js';

/** `unstuck fleet`: names and help only. */
export function addFleetCommand(program: Command): void {
  const fleet = program
    .command('fleet')
    .description('the machines of the fleet, and what happens on them')
    .addHelpText(
      'after',
      `
Machines join with unstuck join. A machine that only asks sets UNSTUCK_FLEET_URL=nats://SERVER instead.

Examples:
  unstuck fleet hosts
  unstuck fleet events --consumer chat --exec ./post-to-chat.sh
  unstuck fleet demo`,
    );
  fleet
    .command('hosts')
    .alias('members')
    .description('list the machines: labels, slots, what they accept, since when they are away')
    .option(...json)
    .action(async (flags) => {
      const { runHosts } = await import('./hosts.js');
      await runHosts(flags);
    });
  fleet
    .command('events')
    .description('print ends, changes of health and notices of all machines as they come')
    .option('--consumer <name>', 'durable position; processes with the same name share the events', 'cli')
    .option(
      '--exec <line>',
      'a line for sh that gets each event as JSON on its stdin; again until it exits with 0',
    )
    .option('--webhook <url>', 'send each event to this URL: https, or http on this machine')
    .option('--json', 'print one JSON object per line')
    .action(async (flags) => {
      const { runEvents } = await import('./events.js');
      await runEvents(flags);
    });
  fleet
    .command('demo')
    .description('start a NATS server and three members on this machine, and ask them')
    .action(async () => {
      const { runDemo } = await import('./demo.js');
      await runDemo();
    });
}

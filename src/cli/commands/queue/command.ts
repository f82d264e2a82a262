import type { Command } from '@commander-js/extra-typings';
import { json, several } from '../../shared/common-options.js';

const jobHelp = 'job id, or at least its first 4 characters';

/** `unstuck queue`: names and help only. */
export function addQueueCommand(program: Command): void {
  const queue = program
    .command('queue')
    .description('run commands on any free machine of the fleet')
    .addHelpText(
      'after',
      `
A job runs once, on a host with a free slot and the needed labels (unstuck join --slots, --label). When its host is
lost for 90 s the job is lost, and runs again only with --again-if-lost. A host that comes back reports the end.

Examples:
  unstuck queue add -- make test
  unstuck queue add --queue build --needs gpu --json -- ./train.sh
  unstuck queue wait 7c1e && unstuck queue log 7c1e
  unstuck queue set release --priority 10 --limit 1`,
    );
  queue
    .command('add')
    .description('add a command to the queue and print the id of the job')
    .argument('<command...>', 'the command and its arguments; options of unstuck come before it')
    .option('--queue <name>', 'name of the queue', 'default')
    .option('--needs <label>', 'label that the host must have; may be given more than once', several)
    .option('--cwd <dir>', 'working directory on the host; the home directory of its user if not given')
    .option('--env <name=value>', 'set an environment variable; may be given more than once', several)
    .option('--label <name>', 'label of the run; the id of the job if not given')
    .option('--timeout <duration>', 'stop it after this time')
    .option('--again-if-lost', 'run it on another host when its host is lost')
    .option(...json)
    .passThroughOptions()
    .action(async (command, flags) => {
      const { runAdd } = await import('./queue.js');
      await runAdd(command, flags);
    });
  queue
    .command('ls')
    .alias('list')
    .description('list the jobs')
    .option('--queue <name>', 'only jobs of this queue')
    .option('--all', 'include older jobs that are over')
    .option(...json)
    .action(async (flags) => {
      const { runList } = await import('./queue.js');
      await runList(flags);
    });
  queue
    .command('wait')
    .description('wait until a job is over; exit with its exit code')
    .argument('<job>', jobHelp)
    .option('--timeout <duration>', 'stop waiting after this time, with exit code 124; the job goes on')
    .option(...json)
    .action(async (job, flags) => {
      const { runWait } = await import('./queue.js');
      await runWait(job, flags);
    });
  queue
    .command('log')
    .description('print the output of a job, from the host where it ran')
    .argument('<job>', jobHelp)
    .option('-f, --follow', 'follow it to its end')
    .action(async (job, flags) => {
      const { runJobLog } = await import('./queue.js');
      await runJobLog(job, flags);
    });
  queue
    .command('set')
    .description('set the priority and the limit of a queue; without options print them')
    .argument('<queue>', 'name of the queue')
    .option('--priority <number>', 'jobs of a queue with a higher number are taken first; 0 by default')
    .option('--limit <count>', 'jobs of it at the same time in the whole fleet; none: no limit')
    .option(...json)
    .action(async (name, flags) => {
      const { runSet } = await import('./queue.js');
      await runSet(name, flags);
    });
  for (const [name, help] of [
    ['cancel', 'take a job from the queue, or stop it where it runs'],
    ['retry', 'run a job that is over once more'],
  ] as const) {
    queue
      .command(name)
      .description(help)
      .argument('<job>', jobHelp)
      .option(...json)
      .action(async (job, flags) => {
        const { runChange } = await import('./queue.js');
        await runChange(name, job, flags);
      });
  }
}

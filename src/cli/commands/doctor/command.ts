import type { Command } from '@commander-js/extra-typings';

/** `unstuck doctor`: names and help only. */
export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check what Unstuck can see on this machine')
    .option('--on <place>', 'check another place instead: ssh:HOST, docker:NAME …, or a name of yours')
    .option('--fleet', 'check the fleet instead: its server, every machine, jobs that no machine can take')
    .option('--json', 'print the findings as one JSON object')
    .action(async (options) => {
      const { runDoctor } = await import('./doctor.js');
      await runDoctor(options);
    });
}

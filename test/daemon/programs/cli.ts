import { Command } from '@commander-js/extra-typings';
import { addDaemonCommand } from '../../../src/cli/commands/daemon/command.js';
import { callDaemon } from '../../../src/control/client/daemon-client.js';
import { Failure } from '../../../src/model/failure.js';

/** `daemon …` as it is, and `call NAME JSON`, which prints the answer or the failure. */
const program = new Command();
addDaemonCommand(program as unknown as Command);
// cli/main.ts does this with a bundle of its own.
program.commands[0]?.commands
  .find((command) => command.name() === 'run')
  ?.action(async () => (await import('../../../src/cli/commands/daemon/daemon-run.js')).runDaemonHere());
program
  .command('call')
  .argument('<name>')
  .argument('[json]')
  .action(async (name, json = '{}') => {
    try {
      console.log(JSON.stringify(await callDaemon(name, JSON.parse(json))));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const { code, message, hint } = error;
      console.log(JSON.stringify({ code, message, hint }));
      process.exitCode = 1;
    }
  });
await program.parseAsync();

import { type Command, Option } from '@commander-js/extra-typings';
import { json, several } from '../../shared/common-options.js';

const login = (flags: string, help: string) => new Option(flags, help).helpGroup('Login:');

/** `unstuck join`: names and help only. */
export function addJoinCommand(program: Command): void {
  program
    .command('join')
    .description('make this machine a member of a fleet on a NATS server')
    .argument('<url>', 'address of the NATS server with JetStream: nats://HOST:4222, tls://…')
    .option('--name <name>', 'name of this machine in the fleet; its host name if not given')
    .option('--fleet <name>', 'name of the fleet; several can share a server', 'default')
    .option('--accept <kinds>', 'what other machines may do here besides reading: start,kill,input')
    .option('--slots <count>', 'jobs of the queue at the same time; with --accept start one per core')
    .option('--label <label>', 'a label such as gpu or arch=arm64; may be given more than once', several)
    .option('--queue <name>', 'take jobs of this queue only; may be given more than once', several)
    .option(
      '--allow-command <pattern>',
      "accept only commands like this, such as 'make *'; may be given more than once",
      several,
    )
    .addOption(login('--user <name>', 'user name'))
    .addOption(login('--password-file <file>', 'file with the password'))
    .addOption(login('--creds <file>', 'credentials file, as nsc writes it'))
    .addOption(login('--nkey <file>', 'file with the seed of an nkey'))
    .addOption(login('--tls-ca <file>', 'certificate of the authority that signed the server'))
    .addOption(login('--tls-cert <file>', 'certificate of this machine'))
    .addOption(login('--tls-key <file>', 'key of that certificate'))
    .option(...json)
    .addHelpText(
      'after',
      `
Without --accept, other machines can look at the runs here and read their output, and nothing else. The daemon of
this machine stays while it is a member. The login is stored in the state directory, readable by you only. Joining
again replaces the settings.

Exit code: 0 when other machines can see this one, 125 when not.

Examples:
  unstuck join nats://build.example:4222
  unstuck join nats://build.example --name build1 --accept start,kill --slots 2 --label gpu
  unstuck join tls://build.example --creds ~/build1.creds --tls-ca ca.pem`,
    )
    .action(async (url, flags) => {
      const { runJoin } = await import('./join.js');
      await runJoin(url, flags);
    });
}

import type { Command } from '@commander-js/extra-typings';
import { several } from '../../shared/common-options.js';

/** `unstuck routes`. */
export function addRoutesCommand(program: Command): void {
  program
    .command('routes')
    .description('show where notices are sent: chat services, webhooks, commands')
    .option('--test <name>', 'send one notice over this route now')
    .option('--tag <word>', 'with --test: a tag of the notice; may be given more than once', several)
    .option('--json', 'print the answer as one JSON object')
    .addHelpText(
      'after',
      `
Routes are in routes.json next to config.json. A route takes the notices of the runs that it matches (tag, owner,
task, label; * stands for anything) and sends each to one target. A run that a route matches reports the kinds of
that route without --notify. The daemon reads the file again when it changes.

  {
    "routes": {
      "team":  {"tag": "team=*", "kinds": ["exit", "stuck"], "slack": "https://hooks.slack.com/services/…"},
      "phone": {"kinds": ["needs-input", "stuck"], "ntfy": "https://ntfy.sh/my-topic"},
      "chat":  {"tag": "chat=*", "telegram": {"tokenFile": "/home/me/.bot-token", "chat": "{tag:chat}"}},
      "log":   {"command": "cat >>/tmp/notices.jsonl"}
    }
  }

Targets: slack, discord, ntfy, telegram, webhook (with secretFile), command. Kinds, if not given: exit,
needs-input, stuck, stalled.

Exit code: 0, 125 when the file cannot be used or a test does not arrive.

Examples:
  unstuck routes
  unstuck routes --test team
  unstuck routes --test chat --tag chat=42`,
    )
    .action(async (flags) => {
      const { runRoutes } = await import('./routes.js');
      await runRoutes(flags);
    });
}

import { Command } from '@commander-js/extra-typings';
import { fail } from './fail.js';
import { usageFailure } from './usage-error.js';

const usageExitCode = 125;

/** What follows `--` belongs to another command. */
function wantsJson(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  return words.slice(0, end === -1 ? words.length : end).includes('--json');
}

function pathOf(command: { name(): string; parent: unknown }): string {
  const parent = command.parent as typeof command | null;
  return parent === null ? command.name() : `${pathOf(parent)} ${command.name()}`;
}

/** A command that reports usage errors like any other Failure: two lines, or JSON. */
class OwnCommand extends Command {
  override createCommand(name?: string): Command {
    return new OwnCommand(name);
  }

  override error(message: string, options?: { code?: string }): never {
    const takes = this.registeredArguments.map((argument) => argument.name());
    const misuse = { path: pathOf(this), code: options?.code ?? '', message, takes };
    fail(usageFailure(misuse), wantsJson(process.argv.slice(2)));
    process.exit();
  }
}

/** `unstuck` itself, without a command. */
export function newProgram(): Command {
  return (
    new OwnCommand('unstuck')
      .description('Is it working, waiting or stuck, and why? Unstuck asks the kernel.')
      .usage('<command> [options]')
      .version(__UNSTUCK_VERSION__, '-V, --version', 'print the version')
      .helpOption('-h, --help', 'print this help')
      .configureHelp({ subcommandTerm: (command) => command.name() })
      .addHelpText('after', afterHelp)
      // `unstuck run node --version` passes --version to node.
      .enablePositionalOptions()
      .exitOverride((error) => {
        // Help and version end with 0; a usage error is Unstuck's own failure, as in timeout(1).
        process.exit(error.exitCode === 0 ? 0 : usageExitCode);
      })
  );
}

const afterHelp = `
Begin here:
  unstuck demo                          three real programs, explained
  unstuck why 4371                      what process 4371 waits for?
  unstuck run -- npm test               any command; reports a hang and its cause
  unstuck start -- npm run dev          the same in the background; then: unstuck ps
  unstuck mcp --print-config claude     set-up for an agent

Each command has its own --help. Nothing is stopped unless you ask for it.`;

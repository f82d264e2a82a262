import { Command } from '@commander-js/extra-typings';

const usageExitCode = 125;

/** `unstuck` itself, without a command. */
export function newProgram(): Command {
  return (
    new Command('unstuck')
      .description('Runs long commands and knows whether they work, wait or are stuck, and why.')
      .version(__UNSTUCK_VERSION__, '-V, --version', 'print the version')
      .helpOption('-h, --help', 'print this help')
      .showHelpAfterError('hint: see unstuck --help')
      .showSuggestionAfterError()
      .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'unstuck: ')) })
      // `unstuck run node --version` asks node.
      .enablePositionalOptions()
      .exitOverride((error) => {
        // Help and version end with 0; a wrong option is Unstuck's own failure, like in timeout(1).
        process.exit(error.exitCode === 0 ? 0 : usageExitCode);
      })
  );
}

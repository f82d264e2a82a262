import { Command } from '@commander-js/extra-typings';
import { Failure } from '../../model/failure.js';
import { fail } from './fail.js';

/** A usage error of the parser. */
interface Misuse {
  /** `unstuck daemon stop`. */
  path: string;
  /** The parser's own code, such as `commander.unknownOption`. */
  code: string;
  message: string;
  /** The names of the arguments it takes. */
  takes: readonly string[];
}

/** Message and hint by the name of the missing argument. */
const missing: Record<string, { what: string; hint(path: string): string }> = {
  id: { what: 'no run given', hint: (path) => `give a run id: ${path} ID; list them: unstuck ps` },
  command: { what: 'no command given', hint: (path) => `give a command: ${path} -- npm test` },
  shell: { what: 'no shell given', hint: (path) => `choose one: ${path} bash, zsh or fish` },
};

function missingArgument(name: string, path: string): Failure | null {
  const known = missing[name];
  return known === undefined ? null : new Failure('bad-input', known.what, known.hint(path));
}

function wrongChoice(what: string, value: string, choices: string): Failure {
  return new Failure(
    'bad-input',
    `${what} is ${JSON.stringify(value)}, which is not one of ${choices}`,
    'choose one of them',
  );
}

function tooMany(path: string, takes: readonly string[]): Failure {
  const names = takes.map((name) => name.toUpperCase());
  const what = names.length === 0 ? 'takes no arguments' : `takes no more than ${names.join(' and ')}`;
  const hint = takes.includes('text')
    ? `put a text with spaces in quotes: ${path} ID 'two words'`
    : `see ${path} --help`;
  return new Failure('bad-input', `${path} ${what}`, hint);
}

/** Turns an error of the parser into a Failure: the problem in one line, and what to type next. */
function usageFailure({ path, code, message, takes }: Misuse): Failure {
  const text = message.replace(/^error: /, '');
  const near = /^(.*)\n\(Did you mean (.*)\?\)$/s.exec(text);
  if (near !== null) {
    return new Failure('bad-input', near[1] ?? text, `did you mean ${near[2]}? see ${path} --help`);
  }
  const choice =
    /^option '(?:-\w, )?(--[\w-]+).*' argument '(.*)' is invalid\. Allowed choices are (.*)\.$/s.exec(text);
  if (choice !== null) return wrongChoice(choice[1] ?? '', choice[2] ?? '', choice[3] ?? '');
  const word =
    /^command-argument value '(.*)' is invalid for argument '(.*)'\. Allowed choices are (.*)\.$/s.exec(text);
  if (word !== null) return wrongChoice(`the ${word[2]}`, word[1] ?? '', word[3] ?? '');
  const value = /^option '(?:-\w, )?(--[\w-]+) (.*)' argument missing$/.exec(text);
  if (value !== null) {
    return new Failure(
      'bad-input',
      `${value[1]} needs a value: ${value[1]} ${value[2]}`,
      `see ${path} --help`,
    );
  }
  if (code === 'commander.excessArguments') return tooMany(path, takes);
  const argument = /^missing required argument '(.*)'$/.exec(text)?.[1];
  return (
    (argument === undefined ? null : missingArgument(argument, path)) ??
    new Failure('bad-input', text, `see ${path} --help`)
  );
}

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

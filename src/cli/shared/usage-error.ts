import { Failure } from '../../model/failure.js';

/** A usage error of the parser. */
export interface Misuse {
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
export function usageFailure({ path, code, message, takes }: Misuse): Failure {
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

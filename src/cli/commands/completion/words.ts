import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { namedPlaces } from '../../../config/named-places.js';
import { options } from '../../../config/options.js';
import { noticeEvents } from '../../../model/notice.js';
import { placeKinds } from '../../../model/place.js';

/** What may follow an option: nothing, one of several words, a file, a directory, or free text. */
export type ValueCompletion =
  | { kind: 'none' }
  | { kind: 'words'; words: readonly string[] }
  | { kind: 'file' }
  | { kind: 'dir' }
  | { kind: 'free'; name: string };

export interface OptionCompletion {
  /** `-h`, `--help`. */
  flags: string[];
  description: string;
  value: ValueCompletion;
}

export interface CommandCompletion {
  name: string;
  description: string;
  options: OptionCompletion[];
  /** Valid words for its first argument. */
  words: readonly string[];
  /** Its first argument is a run id: which runs to offer, and whether more ids may follow. */
  ids: { which: 'running' | 'all'; several: boolean } | null;
  /** Its arguments are another command with arguments of its own. */
  runsCommand: boolean;
}

export interface ProgramCompletion {
  name: string;
  options: OptionCompletion[];
  commands: CommandCompletion[];
}

/** Commands that are useful for ended runs too. */
const endedToo = new Set(['poll', 'log', 'wait', 'remove', 'restart', 'rerun']);
const idNames = new Set(['id', 'ids', 'pid-or-id']);

function idsOf(command: CommandUnknownOpts): CommandCompletion['ids'] {
  const [first] = command.registeredArguments;
  if (first === undefined || !idNames.has(first.name())) return null;
  return { which: endedToo.has(command.name()) ? 'all' : 'running', several: first.variadic };
}

/** Names of the user's configuration, then the kinds of addresses. */
function placeWords(): string[] {
  const names = namedPlaces(process.env, process.env.HOME ?? null).keys();
  return [...names, ...placeKinds.map((kind) => `${kind}:`)];
}

function valueCompletion({
  flags,
  argChoices,
}: {
  flags: string;
  argChoices?: readonly string[];
}): ValueCompletion {
  if (argChoices !== undefined) return { kind: 'words', words: argChoices };
  const name = /[<[](.+)[>\]]/.exec(flags)?.[1];
  if (name === undefined) return { kind: 'none' };
  if (name === 'place') return { kind: 'words', words: placeWords() };
  if (name === 'key') return { kind: 'words', words: options.map(({ key }) => key) };
  if (name === 'events') return { kind: 'words', words: noticeEvents };
  return name === 'file' || name === 'dir' ? { kind: name } : { kind: 'free', name };
}

function optionsOf(...commands: CommandUnknownOpts[]): OptionCompletion[] {
  const all = commands.flatMap((one) => one.createHelp().visibleOptions(one));
  return all
    .filter((option, index) => all.findIndex(({ long }) => long === option.long) === index)
    .map((option) => ({
      flags: [option.short, option.long].filter((flag) => flag !== undefined),
      description: option.description,
      value: valueCompletion(option),
    }));
}

/** Describes everything that can be completed, from the program that parses it. */
export function describeProgram(program: CommandUnknownOpts): ProgramCompletion {
  const commands = program.createHelp().visibleCommands(program);
  const names = commands.map((command) => command.name());
  return {
    name: program.name(),
    options: optionsOf(program),
    commands: commands.map((command) => {
      const [first] = command.registeredArguments;
      const takesOurCommand = command.name() === 'help';
      return {
        name: command.name(),
        description: command.description(),
        options: takesOurCommand ? [] : optionsOf(command, ...command.commands),
        words: takesOurCommand ? names : (first?.argChoices ?? command.commands.map((one) => one.name())),
        ids: idsOf(command),
        runsCommand: !takesOurCommand && first?.name() === 'command',
      };
    }),
  };
}

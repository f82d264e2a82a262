import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { options } from '../config/options.js';
import { noticeEvents } from '../model/notice.js';

/** What may follow an option: nothing, one of some words, a file, a directory, or something only a person knows. */
export type ValueWords =
  | { kind: 'none' }
  | { kind: 'words'; words: readonly string[] }
  | { kind: 'file' }
  | { kind: 'dir' }
  | { kind: 'free'; name: string };

export interface OptionWords {
  /** `-h`, `--help`. */
  flags: string[];
  description: string;
  value: ValueWords;
}

export interface CommandWords {
  name: string;
  description: string;
  options: OptionWords[];
  /** Words its first argument may be. */
  words: readonly string[];
  /** Its first argument is the id of a run: of which ones, and whether more may follow. */
  ids: { which: 'running' | 'all'; several: boolean } | null;
  /** Its arguments are another command with arguments of its own. */
  runsCommand: boolean;
}

export interface ProgramWords {
  name: string;
  options: OptionWords[];
  commands: CommandWords[];
}

/** What they say of a run is worth knowing also when it has ended. */
const endedToo = new Set(['poll', 'log', 'wait']);
const idNames = new Set(['id', 'ids', 'pid-or-id']);

function idsOf(command: CommandUnknownOpts): CommandWords['ids'] {
  const [first] = command.registeredArguments;
  if (first === undefined || !idNames.has(first.name())) return null;
  return { which: endedToo.has(command.name()) ? 'all' : 'running', several: first.variadic };
}

function valueWords({ flags, argChoices }: { flags: string; argChoices?: readonly string[] }): ValueWords {
  if (argChoices !== undefined) return { kind: 'words', words: argChoices };
  const name = /[<[](.+)[>\]]/.exec(flags)?.[1];
  if (name === undefined) return { kind: 'none' };
  if (name === 'key') return { kind: 'words', words: options.map(({ key }) => key) };
  if (name === 'events') return { kind: 'words', words: noticeEvents };
  return name === 'file' || name === 'dir' ? { kind: name } : { kind: 'free', name };
}

function optionsOf(...commands: CommandUnknownOpts[]): OptionWords[] {
  const all = commands.flatMap((one) => one.createHelp().visibleOptions(one));
  return all
    .filter((option, index) => all.findIndex(({ long }) => long === option.long) === index)
    .map((option) => ({
      flags: [option.short, option.long].filter((flag) => flag !== undefined),
      description: option.description,
      value: valueWords(option),
    }));
}

/** Everything that can be completed, from the same program that parses it. */
export function describeProgram(program: CommandUnknownOpts): ProgramWords {
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

import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { buildProgram } from './program.js';

/** A page for `unstuck` and for each of its commands, as troff: `unstuck-run.1`. */
export function manPages(): Map<string, string> {
  const program = buildProgram(['', '', 'help']) as unknown as CommandUnknownOpts;
  const commands = program.createHelp().visibleCommands(program);
  const known = commands.filter((command) => command.name() !== 'help');
  const pages = known.map((command): [string, string] => [
    `unstuck-${command.name()}.1`,
    page(command, { name: `unstuck-${command.name()}`, seeAlso: ['unstuck'] }),
  ]);
  const seeAlso = known.map((command) => `unstuck-${command.name()}`);
  return new Map([['unstuck.1', page(program, { name: 'unstuck', seeAlso })], ...pages]);
}

/** Text in which nothing is a request to troff. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(
      /[^\0-\x7f]/gu,
      (character) => `\\[u${character.codePointAt(0)?.toString(16).padStart(4, '0').toUpperCase()}]`,
    )
    .replace(/^([.'])/gm, '\\&$1');
}

const section = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : [`.SH ${title}`, ...lines];

/** As it stands, with its line breaks. */
const verbatim = (text: string) => (text === '' ? [] : ['.nf', roff(text), '.fi']);

interface PageOptions {
  name: string;
  seeAlso: readonly string[];
}

function page(command: CommandUnknownOpts, { name, seeAlso }: PageOptions): string {
  const help = command.createHelp();
  const [details, examples] = afterHelp(command).split(/^Examples?:\n/m);
  const version = `Unstuck ${__UNSTUCK_VERSION__}`;
  return [
    `.TH ${name.toUpperCase()} 1 "" "${version}" "Unstuck"`,
    ...section('NAME', [`${name} \\- ${roff(command.description())}`]),
    ...section('SYNOPSIS', verbatim(help.commandUsage(command))),
    ...section('ARGUMENTS', help.visibleArguments(command).flatMap(argumentLines)),
    ...section('OPTIONS', optionLines(command)),
    ...section('COMMANDS', command.commands.flatMap(commandLines)),
    ...section('DESCRIPTION', verbatim((details ?? '').trim())),
    ...section('EXAMPLES', verbatim((examples ?? '').trimEnd())),
    ...section('SEE ALSO', [seeAlso.map((other) => `${roff(other)}(1)`).join(',\n')]),
    '',
  ].join('\n');
}

const item = (term: string, text: string) => ['.TP', `.B ${roff(term)}`, roff(text.trim())];

const argumentLines = (argument: { name(): string; description: string }) =>
  item(argument.name(), argument.description);

const commandLines = (command: CommandUnknownOpts) => item(command.name(), command.description());

/** Under the headings of the help. */
function optionLines(command: CommandUnknownOpts): string[] {
  const help = command.createHelp();
  let last = '';
  return help.visibleOptions(command).flatMap((option) => {
    const heading = option.helpGroupHeading ?? '';
    const isNew = heading !== '' && heading !== last;
    last = heading;
    const title = isNew ? [`.SS ${roff(heading.replace(/:$/, ''))}`] : [];
    return [...title, ...item(help.optionTerm(option), help.optionDescription(option))];
  });
}

/** What the help prints after the options. */
function afterHelp(command: CommandUnknownOpts): string {
  let printed = '';
  command.configureOutput({
    writeOut: (text) => {
      printed += text;
    },
  });
  command.outputHelp();
  return printed.slice(command.helpInformation().length);
}

import type { CommandCompletion, OptionCompletion, ProgramCompletion, ValueCompletion } from './words.js';

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const escaped = (text: string) => text.replace(/[\\[\]:$`]/g, (character) => `\\${character}`);

function action(value: ValueCompletion): string {
  switch (value.kind) {
    case 'none':
      return '';
    case 'words':
      return `:value:(${value.words.join(' ')})`;
    case 'file':
      return ':file:_files';
    case 'dir':
      return ':directory:_files -/';
    case 'free':
      return `:${escaped(value.name)}: `;
  }
}

function specs(options: OptionCompletion[]): string[] {
  return options.flatMap(({ flags, description, value }) =>
    flags.map((flag) => {
      const equals = value.kind === 'none' ? '' : flag.startsWith('--') ? '=' : '+';
      // An option may be repeated: the last one counts.
      return quote(`*${flag}${equals}[${escaped(description)}]${action(value)}`);
    }),
  );
}

function argumentSpecs(program: string, { words, ids, runsCommand }: CommandCompletion): string[] {
  if (runsCommand) return [quote('(-)1:command: _command_names -e'), quote('*::arguments: _normal')];
  if (ids !== null) return [quote(`${ids.several ? '*' : '1'}:id: _${program}_ids ${ids.which}`)];
  return words.length > 0 ? [quote(`1:word:(${words.join(' ')})`)] : [];
}

function branch(program: string, command: CommandCompletion): string {
  const { name, options } = command;
  const rest = argumentSpecs(program, command);
  return `        ${name})
          _arguments -S \\
            ${[...specs(options), ...rest].join(' \\\n            ')}
          ;;`;
}

/** For a file \`_unstuck` in a directory of $fpath, or \`source <(unstuck completion zsh)`. */
export function zshCompletion(program: ProgramCompletion): string {
  const { name, commands } = program;
  return `#compdef ${name}
_${name}_ids() {
  local -a found
  found=("\${(@f)$("$program" complete-ids $1 "$PREFIX" 2> /dev/null)}")
  [[ -n $found[1] ]] || return 1
  found=(\${found/$'\\t'/:})
  _describe -t ids id found
}
_${name}() {
  local program=$words[1]
  local curcontext=$curcontext state state_descr line
  typeset -A opt_args
  # A local \`commands\` would hide the list of all programs.
  local -a subcommands=(
${commands.map((one) => `    ${quote(`${one.name}:${escaped(one.description)}`)}`).join('\n')}
  )
  _arguments -C \\
    ${specs(program.options).join(' \\\n    ')} \\
    '1: :->command' \\
    '*:: :->rest'
  case $state in
    command) _describe command subcommands ;;
    rest)
      case $line[1] in
${commands.map((one) => branch(name, one)).join('\n')}
      esac
      ;;
  esac
}
if [[ $funcstack[1] == _${name} ]]; then
  _${name} "$@"
else
  compdef _${name} ${name}
fi
`;
}

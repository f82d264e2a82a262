import type { CommandWords, OptionWords, ProgramWords, ValueWords } from './completion-words.js';

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const escaped = (text: string) => text.replace(/[\\[\]:$`]/g, (character) => `\\${character}`);

function action(value: ValueWords): string {
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

function specs(options: OptionWords[]): string[] {
  return options.flatMap(({ flags, description, value }) =>
    flags.map((flag) => {
      const equals = value.kind === 'none' ? '' : flag.startsWith('--') ? '=' : '+';
      // May be given more than once: a later one counts.
      return quote(`*${flag}${equals}[${escaped(description)}]${action(value)}`);
    }),
  );
}

function branch({ name, options, words, runsCommand }: CommandWords): string {
  const rest = runsCommand
    ? [quote('(-)1:command: _command_names -e'), quote('*::arguments: _normal')]
    : words.length > 0
      ? [quote(`1:word:(${words.join(' ')})`)]
      : [];
  return `        ${name})
          _arguments -S \\
            ${[...specs(options), ...rest].join(' \\\n            ')}
          ;;`;
}

/** For a file \`_unstuck` in a directory of $fpath, or \`source <(unstuck completion zsh)`. */
export function zshCompletion(program: ProgramWords): string {
  const { name, commands } = program;
  return `#compdef ${name}
_${name}() {
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
${commands.map(branch).join('\n')}
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

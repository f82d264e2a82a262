import type { OptionCompletion, ProgramCompletion, ValueCompletion } from './words.js';

const lines = (indent: number, rows: string[]) => rows.map((row) => ' '.repeat(indent) + row).join('\n');

/** `'run --report' | 'why --save'`, or a pattern that matches nothing. */
function patterns(program: ProgramCompletion, wanted: (value: ValueCompletion) => boolean): string {
  const of = (command: string, options: OptionCompletion[]) =>
    options
      .filter(({ value }) => wanted(value))
      .flatMap(({ flags }) => flags.map((flag) => `'${command} ${flag}'`));
  const all = [...of('', program.options), ...program.commands.flatMap((one) => of(one.name, one.options))];
  return all.join(' | ') || "''";
}

function choiceCases({ name: program, commands }: ProgramCompletion): string[] {
  return commands.flatMap(({ name, options }) =>
    options.flatMap(({ flags, value }) =>
      value.kind === 'words'
        ? [`'${name} ${flags.at(-1)}') _${program}_reply -W '${value.words.join(' ')}' ;;`]
        : [],
    ),
  );
}

function idCases({ name: program, commands }: ProgramCompletion): string[] {
  return commands.flatMap(({ name, ids }) => {
    if (ids === null) return [];
    const condition = ids.several ? '' : '((given == 0)) && ';
    return [`${name}) ${condition}_${program}_ids ${ids.which} ;;`];
  });
}

const flagWords = (options: OptionCompletion[]) => options.flatMap(({ flags }) => flags).join(' ');

/** For `source <(unstuck completion bash)`. Works with and without the package bash-completion. */
export function bashCompletion(program: ProgramCompletion): string {
  const { name, commands } = program;
  const runners = commands.filter(({ runsCommand }) => runsCommand).map((one) => one.name);
  return `# bash completion of ${name}
_${name}_reply() {
  mapfile -t COMPREPLY < <(compgen "$@" -- "$cur")
}
_${name}_ids() {
  _${name}_reply -W "$("\${COMP_WORDS[0]}" complete-ids "$1" "$cur" 2> /dev/null | cut -f1)"
}
_${name}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} command= expecting= start= given=0 at word
  COMPREPLY=()
  # bash makes three words of --option=value
  [[ $cur == = ]] && cur=
  for ((at = 1; at < COMP_CWORD; at++)); do
    word=\${COMP_WORDS[at]}
    [[ $word == = ]] && continue
    if [[ -n $expecting ]]; then
      expecting=
      continue
    fi
    case $word in
      --)
        case $command in
          ${runners.join(' | ')})
            start=$((at + 1))
            break
            ;;
        esac
        ;;
      -*)
        case "$command $word" in
          ${patterns(program, ({ kind }) => kind !== 'none')}) expecting=$word ;;
        esac
        ;;
      *)
        case $command in
          '') command=$word ;;
          ${runners.join(' | ')})
            start=$at
            break
            ;;
          *) given=$((given + 1)) ;;
        esac
        ;;
    esac
  done
  if [[ -z $expecting && -z $start && $cur != -* ]]; then
    case $command in ${runners.join(' | ')}) start=$COMP_CWORD ;; esac
  fi
  if [[ -n $start ]]; then
    if declare -F _command_offset > /dev/null; then
      _command_offset "$start"
    elif ((COMP_CWORD == start)); then
      _${name}_reply -c
    else
      compopt -o filenames 2> /dev/null
      _${name}_reply -f
    fi
  elif [[ -n $expecting ]]; then
    case "$command $expecting" in
${lines(6, choiceCases(program))}
      ${patterns(program, ({ kind }) => kind === 'dir')})
        compopt -o filenames 2> /dev/null
        _${name}_reply -d
        ;;
      ${patterns(program, ({ kind }) => kind === 'file')})
        compopt -o filenames 2> /dev/null
        _${name}_reply -f
        ;;
    esac
  elif [[ $cur == -* ]]; then
    case $command in
      '') _${name}_reply -W '${flagWords(program.options)}' ;;
${lines(
  6,
  commands.map((one) => `${one.name}) _${name}_reply -W '${flagWords(one.options)}' ;;`),
)}
    esac
  else
    case $command in
      '') _${name}_reply -W '${commands.map((one) => one.name).join(' ')}' ;;
${lines(
  6,
  commands
    .filter(({ words }) => words.length > 0)
    .map((one) => `${one.name}) _${name}_reply -W '${one.words.join(' ')}' ;;`),
)}
${lines(6, idCases(program))}
    esac
  fi
}
complete -F _${name} ${name}
`;
}

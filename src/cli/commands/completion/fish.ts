import type { CommandCompletion, OptionCompletion, ProgramCompletion, ValueCompletion } from './words.js';

const quote = (text: string) => `'${text.replace(/[\\']/g, (character) => `\\${character}`)}'`;

function value(words: ValueCompletion): string {
  switch (words.kind) {
    case 'none':
      return '';
    case 'words':
      return ` -x -a ${quote(words.words.join(' '))}`;
    case 'file':
      return ' -r -F';
    case 'dir':
      return ' -x -a "(__fish_complete_directories)"';
    case 'free':
      return ' -x';
  }
}

function optionLine(program: string, condition: string, option: OptionCompletion): string {
  const names = option.flags
    .map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`))
    .join(' ');
  return `complete -c ${program} -n ${quote(condition)} ${names}${value(option.value)} -d ${quote(option.description)}`;
}

function commandLines(program: string, command: CommandCompletion): string[] {
  const { name, description, options, words, ids } = command;
  const inside = `__${program}_at options ${name}`;
  return [
    `complete -c ${program} -n '__${program}_at command' -a ${name} -d ${quote(description)}`,
    ...options.map((option) => optionLine(program, inside, option)),
    ...(words.length > 0 ? [`complete -c ${program} -n ${quote(inside)} -a ${quote(words.join(' '))}`] : []),
    ...(ids !== null
      ? [`complete -c ${program} -n ${quote(inside)} -a '(__${program}_ids ${ids.which})'`]
      : []),
  ];
}

/** For `unstuck completion fish | source`. */
export function fishCompletion(program: ProgramCompletion): string {
  const { name, commands } = program;
  const valued = commands.flatMap((one) =>
    one.options.filter((option) => option.value.kind !== 'none').flatMap(({ flags }) => flags),
  );
  const runners = commands.filter(({ runsCommand }) => runsCommand).map((one) => one.name);
  return `# fish completion of ${name}

# Where the cursor is: "command", "options NAME", or "rest" followed by the command line that is to be run.
function __${name}_place
  set -l command
  set -l expecting
  set -l words (commandline -opc)
  set -l count (count $words)
  for at in (seq 2 $count)
    set -l word $words[$at]
    if set -q expecting[1]
      set -e expecting
    else if test "$word" = --
      test $at -lt $count; and set -l rest (string escape -- $words[(math $at + 1)..])
      echo rest (string join ' ' -- $rest (commandline -ct))
      return
    else if contains -- $word ${valued.join(' ')}
      set expecting $word
    else if not string match -q -- '-*' $word
      if not set -q command[1]
        set command $word
      else if contains -- $command ${runners.join(' ')}
        echo rest (string join ' ' -- (string escape -- $words[$at..]) (commandline -ct))
        return
      end
    end
  end
  if not set -q command[1]
    echo command
  else if not set -q expecting[1]; and contains -- $command ${runners.join(' ')}; and not string match -q -- '-*' (commandline -ct)
    echo rest (commandline -ct)
  else
    echo options $command
  end
end

function __${name}_at
  test (__${name}_place) = "$argv"
end

function __${name}_runs
  string match -q 'rest *' -- (__${name}_place)
end

function __${name}_rest
  complete -C (string replace -r '^rest ' '' -- (__${name}_place))
end

function __${name}_ids
  set -l words (commandline -opc)
  $words[1] complete-ids $argv[1] (commandline -ct) 2> /dev/null
end

complete -c ${name} -f
complete -c ${name} -n __${name}_runs -a '(__${name}_rest)'
${[
  ...program.options.map((option) => optionLine(name, `__${name}_at command`, option)),
  ...commands.flatMap((one) => commandLines(name, one)),
].join('\n')}
`;
}

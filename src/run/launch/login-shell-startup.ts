/**
 * The arguments with which a shell reads its start-up files, restores the real standard descriptors (saved as 7, 8 and
 * 9) and runs a line. `name` becomes $0.
 */
type StartUp = (name: string, line: string) => string[];

const restore = 'exec 0<&7 1>&8 2>&9 7<&- 8>&- 9>&-';

/**
 * An interactive bash reads the user's start-up files, but it also ignores TERM, prints `[1] 4711`, and runs
 * ~/.bash_logout at an `exit`. So its state is written to a file that a non-interactive bash reads first: variables,
 * functions, aliases, options of shopt. The rest is inherited.
 *
 * - A login shell does not read ~/.bashrc by itself. Without a profile that reads it, it is read here.
 * - bash closes the descriptors above 2 of a login shell in the programs it starts, so that no agent started by a
 *   start-up file holds the output of the run open. Hence they become 0, 1 and 2 before the exec.
 * - norc: with a socket as its input, or under ssh, bash would read ~/.bashrc instead of this file.
 * - Exported variables are inherited and must not get into a temporary file, because they may contain secrets.
 * - Some variables cannot be set again, and bash prints an error for them. These errors are
 *   discarded, and descriptor 7 holds the real stderr meanwhile.
 * - Where the exec is not possible (no room for a temporary file), the line runs all the same.
 */
const bash = `[ -e ~/.bash_profile ] || [ -e ~/.bash_login ] || [ -e ~/.profile ] || [ ! -r ~/.bashrc ] || . ~/.bashrc
${restore}
BASH_ENV=/dev/fd/6 exec "$BASH" --norc -c "$1" "$0" 6<<<"exec 7>&2 2>/dev/null; unset BASH_ENV
$(shopt -p; declare -p BASH_ENV 2>/dev/null; unset -v $(compgen -e); declare -p; declare -f; alias -p)
exec 2>&7 6<&- 7>&-"
set +m
eval "$1"`;

/** The option rcs is unset, so that ~/.zlogout does not run. An interactive zsh ignores TERM by default. */
const zsh = `${restore}
unsetopt monitor rcs globalrcs
trap - TERM
eval "set --;$1"`;

/**
 * fish cannot change its own descriptors, only those of the programs it runs. So it cannot print what is wrong with a
 * line. The line is checked before, and a function reports a command that does not exist.
 */
const fish = `status job-control none
function fish_command_not_found; echo "fish: Unknown command: $argv[1]" >&9; end
set -l us_line $argv[1]
set -l us_fish (status fish-path)
printf '%s\\n' $us_line | $us_fish --no-execute 2>&9; or exit 127
begin; set -e argv; eval $us_line; end <&7 >&8 2>&9 7<&- 8>&- 9>&-`;

/** `command`: otherwise an error in a start-up file would end the shell. */
const sh = `[ ! -r /etc/profile ] || command . /etc/profile
[ ! -r ~/.profile ] || command . ~/.profile
${restore}
eval "set --;$1"`;

export const posixStartUp: StartUp = (name, line) => ['-c', sh, name, line];

/** By the name of the program. */
export const startUps: ReadonlyMap<string, StartUp> = new Map([
  ['bash', (name, line) => ['-lic', bash, name, line]],
  ['zsh', (name, line) => ['-lic', zsh, name, line]],
  ['fish', (_name, line) => ['-l', '-i', '-c', fish, line]],
  ...['sh', 'dash', 'ash', 'ksh', 'ksh93', 'mksh'].map((name): [string, StartUp] => [name, posixStartUp]),
]);

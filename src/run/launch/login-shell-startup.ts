/**
 * The arguments with which one kind of shell reads its start-up files, gets back the real three descriptors (7, 8
 * and 9) and runs a line. `name` becomes $0.
 */
type StartUp = (name: string, line: string) => string[];

const restore = 'exec 0<&7 1>&8 2>&9 7<&- 8>&- 9>&-';

/**
 * An interactive bash reads what users wrote, but it also ignores TERM, says `[1] 4711`, and runs ~/.bash_logout
 * at an `exit`. So all it has learnt is handed to a bash that is not interactive, as the file that one reads
 * first: variables, functions, aliases, options of shopt. The rest is inherited anyway.
 *
 * - A login shell does not read ~/.bashrc by itself; with no profile that does, nobody would.
 * - bash keeps the descriptors above 2 of a login shell from what it starts, so that no agent started by a
 *   start-up file holds the output of the run open; hence they become 0, 1 and 2 before the exec.
 * - norc: with a socket as its input, or under ssh, it would read ~/.bashrc instead of our file.
 * - What is exported is inherited, and must not get into a temporary file: there may be secrets among it.
 * - Some variables cannot be set again, and bash says so: that is what 7 is for.
 * - Where the exec is not possible (no room for a temporary file), the line runs all the same.
 */
const bash = `[ -e ~/.bash_profile ] || [ -e ~/.bash_login ] || [ -e ~/.profile ] || [ ! -r ~/.bashrc ] || . ~/.bashrc
${restore}
BASH_ENV=/dev/fd/6 exec "$BASH" --norc -c "$1" "$0" 6<<<"exec 7>&2 2>/dev/null; unset BASH_ENV
$(shopt -p; declare -p BASH_ENV 2>/dev/null; unset -v $(compgen -e); declare -p; declare -f; alias -p)
exec 2>&7 6<&- 7>&-"
set +m
eval "$1"`;

/** rcs: without them no ~/.zlogout. An interactive zsh ignores TERM unless told otherwise. */
const zsh = `${restore}
unsetopt monitor rcs globalrcs
trap - TERM
eval "set --;$1"`;

/**
 * fish cannot change its own descriptors, only those of what it runs. So it cannot say by itself what is wrong
 * with a line: that is looked at before, and a command that is not there is reported by a function.
 */
const fish = `status job-control none
function fish_command_not_found; echo "fish: Unknown command: $argv[1]" >&9; end
set -l us_line $argv[1]
set -l us_fish (status fish-path)
printf '%s\\n' $us_line | $us_fish --no-execute 2>&9; or exit 127
begin; set -e argv; eval $us_line; end <&7 >&8 2>&9 7<&- 8>&- 9>&-`;

/** `command`: an error in a start-up file would end the shell otherwise. */
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

import type { ShimDescriptors } from './shim-descriptors.js';

interface ShimParts {
  fd: ShimDescriptors;
  /** Lines of the shell that becomes the command. */
  before?: readonly string[];
  /** Standard descriptors that the command does not have. */
  ends?: readonly number[];
  /** Descriptors of the command that the drains must not hold open. */
  closedByDrains?: readonly number[];
  /** The log has little room from the start. */
  isCareful?: boolean;
  /** That of the command, so that the shim can set its own for a moment; undefined: not known here. */
  umask?: number | undefined;
  /** Words that start a shell in a session of the terminal; none: the command itself has that session. */
  jobLeader?: readonly string[];
}

/**
 * Runs the command and outlives the supervisor. The output goes through a real pipe into a log, and the exit status
 * into a file, whether or not a supervisor is still there. Arguments: run directory (empty: none could be made), cat,
 * setsid with options (empty: there is none), streams (1, 2 or pty), run id, input of a run in the background (none,
 * pipe or pty; empty: the run is in the foreground), head, stty, tee (empty: no supervisor reads the output), the command.
 *
 * Descriptors: 0 is the command's input. 1 and 2 lead to the supervisor, for output that cannot be logged. The others
 * have numbers that the command does not need (shim-descriptors.ts).
 * - The last words before the command (\`before\`) restore what the command inherits, such as ignored signals.
 *
 * - INT, TERM … are caught, not ignored: a command inherits an ignored signal, but not a trap. A subshell does not
 *   inherit a trap either, so the trap is set again.
 * - Only the command has the run id in its environment and a session of its own. Its `kill 0` and the terminal's Ctrl-C
 *   do not reach the shim.
 * - A log that cannot be written (exit status of cat: 1), or a cat that was killed, must not end the command by
 *   SIGPIPE. The supervisor gets the rest of the output; without a supervisor the rest is discarded. The file
 *   `unlogged` records this and the reason. The supervisor ends a cat by SIGUSR1 (138) to break the pipe.
 * - Where the log has little room, tee gives the supervisor all output directly, whatever becomes of the log. It is
 *   slower than cat, but cat loses what it has read and could not write. When the log gets little room later, the supervisor
 *   ends a cat that holds nothing by SIGUSR2 (140).
 * - The shim's variables have unique names, because a variable that came from the environment would be exported again.
 * - The exit status overwrites the existing text of its file in place. This works on a full disk too.
 * - A terminal is drained like a pipe. The cat holds its master end, so the command gets no hangup when the supervisor
 *   ends. The cat ends (with an error, EIO) when no process has the command's end open any more.
 * - Descriptors are moved with exec. A shell keeps a copy of a descriptor that a function call redirects, and the copy
 *   would keep a terminal or a pipe open.
 * - Where a user may press Ctrl-Z, a second shell (`jobLeader`) evaluates the same script, with `job` for its streams: it has the
 *   terminal's session, and the command is its job. Without it the kernel would ignore Ctrl-Z, and hang up on what the
 *   command leaves behind. It reports that the job was stopped, and lets it go on when the supervisor says so.
 * - The shell's own message about the command ("Killed") is the only proof that a signal ended it.
 * - A supervisor may be killed before it has read the pid. Its broken pipe must not end what becomes the command: that would
 *   be taken for the command's own end.
 *
 * Without /proc the supervisor gets only the pid. The pid is certain only as long as the command has not ended, so the
 * command begins after the supervisor has answered.
 *
 * In the background 1, 2 and 3 lead nowhere, so that the end of another process causes no SIGPIPE here. Files report
 * everything.
 * - Two shims may start in the same directory, when a daemon was killed while it started the first. The shim that makes
 *   `claim` goes on. It closes the control pipe then. The session of a place waits for that.
 * - Bytes written to the command come through a file (src/run/input): shim-pump.ts.
 * - A closed terminal is EIO for the cat and no fault of the log. Only the error message of the cat separates the two.
 */
export function shimSource({
  fd,
  before = [],
  ends = [],
  isCareful = false,
  closedByDrains = [],
  jobLeader = [],
  umask,
}: ShimParts): string {
  const { control, aux, out, err, said, slave, master } = fd;
  const close = (numbers: readonly number[]) => numbers.map((number) => ` ${number}>&-`).join('');
  const stderr = ends.includes(2) ? '' : ` 2>&${said}`;
  const hasJobs = jobLeader.length > 0;
  return `${hasJobs ? 'us_script=$UNSTUCK_SHIM\n' : ''}unset UNSTUCK_SHIM
us_dir=$1 us_cat=$2 us_setsid=$3 us_streams=$4 us_id=$5 us_input=$6 us_head=$7 us_stty=$8 us_tee=$9
shift 9
us_said=/dev/null
[ -z "$us_dir" ] || us_said=$us_dir/shell-said
trap : INT HUP TERM QUIT
if [ -n "$us_input" ]; then
  read -r us_stat </proc/self/stat
  ${claim(umask)}
  exec ${control}>/dev/null
fi
keep() {
  trap '' INT HUP TERM QUIT PIPE XFSZ
  exec${close(closedByDrains)}
  us_words= us_status=${isCareful ? 140 : 0}
  if [ -n "$us_dir" ]; then
    if [ $us_status = 140 ]; then
      :
    elif [ "$us_streams" = pty ]; then
      us_words=$(LC_ALL=C "$us_cat" 2>&1 >>"$us_dir/$1")
      us_status=$?
    else
      LC_ALL=C "$us_cat" >>"$us_dir/$1"
      us_status=$?
    fi
    if [ $us_status = 140 ] && [ -n "$us_tee" ]; then
      exec ${control}>&1
      us_words=$(LC_ALL=C "$us_tee" -a "$us_dir/$1" 2>&1 >&${control})
      us_status=$?
    fi
    [ $us_status = 0 ] || [ $us_status = 138 ] && return
    case $us_words in
    *write* | *"$us_dir"*) ;;
    *'Input/output error'* | *'Broken pipe'*) return ;;
    esac
    printf 'yes %-4s\\n' $us_status 1<>"$us_dir/unlogged"
  fi
  "$us_cat" || "$us_cat" >/dev/null
}
start() {
  trap : INT HUP TERM QUIT
  [ "$us_input" != pipe ] || feed
  {
    (
      [ -z "$us_pump" ] || begin
      us_stat=
      { read -r us_stat </proc/self/stat; } 2>/dev/null || us_stat=$(exec /bin/sh -c 'echo "$PPID"')
      trap : PIPE
      echo "pid $us_stat" 2>/dev/null >&${control}
      trap - PIPE
      case $us_stat in *' '*) ;; *) read -r us_ack <&${control} ;; esac
      [ -z "$us_dir" ] || echo "$us_stat" >"$us_dir/pid"
      export UNSTUCK_RUN_ID="$us_id" UNSTUCK_RUN_CHAIN="\${UNSTUCK_RUN_CHAIN:+$UNSTUCK_RUN_CHAIN:}$us_id"
      ${before.join('\n      ')}
      exec $us_setsid "$@"${stderr} ${control}>&- ${said}>&-${close(ends)}
    )
    us_status=$?
    ${hasJobs ? waitForJob(control) : ''}
  } ${said}>&2 2>>"$us_said"
  trap '' PIPE
  [ -z "$us_dir" ] || printf '%-15s\\n' $us_status 1<>"$us_dir/exit"
  echo "exit $us_status" 2>/dev/null >&${control}
  [ "$us_input" != pipe ] || { exec >/dev/null 2>&1; stop; }
}
${hasJobs ? jobBranch : ''}
exec ${out}>&1 ${err}>&2 2>/dev/null
us_pump= us_stdin=
case $us_streams$us_input in
1pipe)
  : | { exec 2>&1 ${out}>&- ${err}>&-; start "$@"; } |
    { exec >&${out} ${control}>&- ${err}>&-; keep output.log; } ;;
1*)
  { exec 2>&1 ${out}>&- ${err}>&-; start "$@"; } |
    { exec >&${out} ${control}>&- ${err}>&-; keep output.log; } ;;
2pipe)
  : | {
    { exec 2>&${aux} ${aux}>&- ${out}>&- ${err}>&-; start "$@"; } |
      { exec >&${out} ${control}>&- ${aux}>&- ${err}>&-; keep stdout.log; }
  } ${aux}>&1 | { exec >&${err} ${control}>&- ${out}>&-; keep stderr.log; } ;;
2*)
  {
    { exec 2>&${aux} ${aux}>&- ${out}>&- ${err}>&-; start "$@"; } |
      { exec >&${out} ${control}>&- ${aux}>&- ${err}>&-; keep stdout.log; }
  } ${aux}>&1 | { exec >&${err} ${control}>&- ${out}>&-; keep stderr.log; } ;;
pty*)
  { exec <&${master} >&${out} ${control}>&- ${err}>&- ${slave}>&-; keep output.log; } &
  [ -z "$us_input" ] || { exec 7<>"$us_dir/bell"; pump & us_pump=$!; exec 7>&-; }
  exec ${master}>&-
  (exec <&${slave} >&${slave} 2>&${slave} ${out}>&- ${err}>&- ${slave}>&-; ${hasJobs ? leadJobs(jobLeader) : 'start "$@"'})
  exec ${control}>&- ${slave}>&-
  [ -z "$us_input" ] || stop
  wait ;;
esac`;
}

/** A subshell, where the umask has to be restored and is not known, is a process more and takes a fifth of a start. */
function claim(umask: number | undefined): string {
  const make = 'echo "$us_stat" >"$us_dir/claim"';
  return umask === undefined
    ? `(umask 077; set -C; ${make}) 2>/dev/null || exit 0`
    : `umask 077; set -C
  { ${make}; } 2>/dev/null || exit 0
  set +C; umask ${umask.toString(8)}`;
}

/** In the shell that leads the session of the terminal. */
const jobBranch = `if [ "$us_streams" = job ]; then
  us_pump=
  set -m 2>/dev/null
  start "$@"
  exit
fi`;

function leadJobs(leader: readonly string[]): string {
  return `export UNSTUCK_SHIM="$us_script"
    exec ${leader.join(' ')} -c 'eval "$UNSTUCK_SHIM"' unstuck "$us_dir" "$us_cat" "" job "$us_id" "" "" "" "" "$@"`;
}

/** A job that is still known to the shell was stopped. Without a supervisor it goes on by itself. */
function waitForJob(control: number): string {
  return `while kill -0 %% 2>/dev/null; do
      trap '' PIPE
      echo "stopped $us_status" >&${control}
      read -r us_ack <&${control} || sleep 1
      : >"$us_said"
      fg %% >/dev/null
      us_status=$?
    done`;
}

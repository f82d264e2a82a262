/**
 * Runs the command and outlives the supervisor. The output goes through a real pipe into a log, and the exit status
 * into a file, whether or not a supervisor is still there. Arguments: run directory (empty: none could be made), cat,
 * setsid with options (empty: there is none), streams (1, 2 or pty), run id, input of a run in the background (none,
 * pipe or pty; empty: the run is in the foreground), head, stty, the command.
 *
 * Descriptors: 0 is the command's input. 1 and 2 lead to the supervisor, for output that cannot be logged. 3 reports to
 * the supervisor the identity of the command (which may end before it can be read elsewhere) and its end. 8 and 9 are
 * the two ends of a terminal, if the command gets one.
 *
 * - INT, TERM … are caught, not ignored: a command inherits an ignored signal, but not a trap. A subshell does not
 *   inherit a trap either, so the trap is set again.
 * - Only the command has the run id in its environment and a session of its own. Its `kill 0` and the terminal's Ctrl-C
 *   do not reach the shim.
 * - A log that cannot be written (exit status of cat: 1), or a cat that was killed, must not end the command by
 *   SIGPIPE. The supervisor gets the rest of the output; without a supervisor the rest is discarded. The file
 *   `unlogged` records this and the reason. The supervisor ends a cat by SIGUSR1 (138) to break the pipe.
 * - The shim's variables have unique names, because a variable that came from the environment would be exported again.
 * - The exit status overwrites the existing text of its file in place. This works on a full disk too.
 * - A terminal is drained like a pipe. The cat holds its master end, so the command gets no hangup when the supervisor
 *   ends. The cat ends (with an error, EIO) when no process has the command's end open any more.
 * - Descriptors are moved with exec. A shell keeps a copy of a descriptor that a function call redirects, and the copy
 *   would keep a terminal or a pipe open.
 * - The shell's own message about the command ("Killed") is the only proof that a signal ended it.
 *
 * Without /proc the supervisor gets only the pid. The pid is certain only as long as the command has not ended, so the
 * command begins after the supervisor has answered.
 *
 * In the background 1, 2 and 3 lead nowhere, so that the end of another process causes no SIGPIPE here. Files report
 * everything.
 * - Two shims may start in the same directory, when a daemon was killed while it started the first. The shim that makes
 *   `claim` goes on.
 * - Bytes written to the command come through a file (src/run/input): shim-pump.ts.
 * - A closed terminal is EIO for the cat and no fault of the log. Only the error message of the cat separates the two.
 */
export const shimSource = `unset UNSTUCK_SHIM
us_dir=$1 us_cat=$2 us_setsid=$3 us_streams=$4 us_id=$5 us_input=$6 us_head=$7 us_stty=$8
shift 8
us_said=/dev/null
[ -z "$us_dir" ] || us_said=$us_dir/shell-said
trap : INT HUP TERM QUIT
if [ -n "$us_input" ]; then
  exec 3>/dev/null
  read -r us_stat </proc/self/stat
  (umask 077; set -C; echo "$us_stat" >"$us_dir/claim") 2>/dev/null || exit 0
fi
keep() {
  trap '' INT HUP TERM QUIT PIPE
  us_words=
  if [ -n "$us_dir" ]; then
    if [ "$us_streams" = pty ]; then
      us_words=$(LC_ALL=C "$us_cat" 2>&1 >>"$us_dir/$1")
    else
      "$us_cat" >>"$us_dir/$1"
    fi
    us_status=$?
    [ $us_status = 0 ] || [ $us_status = 138 ] && return
    case $us_words in
    *write*) ;;
    *'Input/output error'*) return ;;
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
      echo "pid $us_stat" >&3
      case $us_stat in *' '*) ;; *) read -r us_ack <&3 ;; esac
      [ -z "$us_dir" ] || echo "$us_stat" >"$us_dir/pid"
      export UNSTUCK_RUN_ID="$us_id" UNSTUCK_RUN_CHAIN="\${UNSTUCK_RUN_CHAIN:+$UNSTUCK_RUN_CHAIN:}$us_id"
      exec $us_setsid "$@" 2>&7 3>&- 7>&-
    )
    us_status=$?
  } 7>&2 2>"$us_said"
  trap '' PIPE
  [ -z "$us_dir" ] || printf '%-15s\\n' $us_status 1<>"$us_dir/exit"
  echo "exit $us_status" 2>/dev/null >&3
  [ "$us_input" != pipe ] || { exec >/dev/null 2>&1; stop; }
}
exec 5>&1 6>&2 2>/dev/null
us_pump= us_stdin=
case $us_streams$us_input in
1pipe)
  : | { exec 2>&1 5>&- 6>&-; start "$@"; } |
    { exec >&5 3>&- 6>&-; keep output.log; } ;;
1*)
  { exec 2>&1 5>&- 6>&-; start "$@"; } |
    { exec >&5 3>&- 6>&-; keep output.log; } ;;
2)
  {
    { exec 2>&4 4>&- 5>&- 6>&-; start "$@"; } |
      { exec >&5 3>&- 4>&- 6>&-; keep stdout.log; }
  } 4>&1 | { exec >&6 3>&- 5>&-; keep stderr.log; } ;;
pty*)
  { exec <&9 >&5 3>&- 6>&- 8>&-; keep output.log; } &
  [ -z "$us_input" ] || { exec 7<>"$us_dir/bell"; pump & us_pump=$!; exec 7>&-; }
  exec 9>&-
  (exec <&8 >&8 2>&8 5>&- 6>&- 8>&-; start "$@")
  exec 3>&- 8>&-
  [ -z "$us_input" ] || stop
  wait ;;
esac`;

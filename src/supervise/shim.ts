/**
 * Runs the command and outlives everybody: its output goes through a real pipe into a log, its exit status into
 * a file, whether or not a supervisor is still there. Arguments: run directory (empty: none could be made), cat,
 * setsid with options (empty: there is none), streams (1, 2 or pty), run id,
 * shell, the command.
 *
 * Descriptors: 0 is the command's input, 1 and 2 lead to the supervisor for output that cannot be logged,
 * 3 tells the supervisor who the command is (it may be gone before anybody else can ask) and its end; 8 and 9 are the two ends of a terminal, if it gets one.
 *
 * - INT, TERM … are caught, not ignored: a command would inherit a signal that is ignored, but not a trap. A
 *   subshell does not inherit a trap either, so it is set again.
 * - Only the command has the run id in its environment, and its own session: its `kill 0` and the terminal's Ctrl-C do not reach the shim.
 * - A log that cannot be written (exit status of cat: 1) must not end the command by SIGPIPE: the supervisor gets
 *   the rest, then nobody. A cat that ended by SIGUSR1 (138) is the supervisor's wish: then the pipe breaks.
 * - The exit status overwrites what is in the file already, in place: this works on a full disk too.
 * - A terminal is a pipe too: the cat holds its other end, so the command is not hung up on when we go. It ends
 *   (with an error, EIO) when nobody has the command's end open any more.
 * - Descriptors are moved with exec: what a function call redirects, a shell keeps a copy of, and a copy keeps a
 *   terminal or a pipe open.
 * - What the shell itself says of the command ("Killed") is the only proof that a signal ended it.
 */
export const shim = `dir=$1 cat=$2 setsid=$3 streams=$4 id=$5 shell=$6
shift 6
said=/dev/null
[ -z "$dir" ] || said=$dir/shell-said
trap : INT HUP TERM QUIT
keep() {
  trap '' INT HUP TERM QUIT PIPE
  if [ -n "$dir" ]; then
    "$cat" >>"$dir/$1"
    status=$?
    [ $status = 0 ] || [ $status = 138 ] && return
  fi
  "$cat" || "$cat" >/dev/null
}
start() {
  trap : INT HUP TERM QUIT
  {
    "$shell" -c '
      read -r stat </proc/$$/stat
      echo "pid $stat" >&3
      [ -z "$1" ] || echo "$stat" >"$1/pid"
      setsid=$2
      export UNSTUCK_RUN_ID="$3" UNSTUCK_RUN_CHAIN="\${UNSTUCK_RUN_CHAIN:+$UNSTUCK_RUN_CHAIN:}$3"
      shift 3
      exec $setsid "$@" 2>&7 3>&- 7>&-' sh "$dir" "$setsid" "$id" "$@"
    status=$?
  } 7>&2 2>"$said"
  trap '' PIPE
  [ -z "$dir" ] || printf '%-15s\\n' $status 1<>"$dir/exit"
  echo "exit $status" 2>/dev/null >&3
}
exec 5>&1 6>&2 2>/dev/null
case $streams in
1)
  { exec 2>&1 5>&- 6>&-; start "$@"; } |
    { exec >&5 3>&- 6>&-; keep output.log; } ;;
2)
  {
    { exec 2>&4 4>&- 5>&- 6>&-; start "$@"; } |
      { exec >&5 3>&- 4>&- 6>&-; keep stdout.log; }
  } 4>&1 | { exec >&6 3>&- 5>&-; keep stderr.log; } ;;
pty)
  { exec <&9 >&5 3>&- 6>&- 8>&-; keep output.log; } &
  exec 9>&-
  (exec <&8 >&8 2>&8 5>&- 6>&- 8>&-; start "$@")
  exec 3>&- 8>&-
  wait ;;
esac`;

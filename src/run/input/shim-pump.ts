/**
 * Functions of the shim for a command whose input can be written to. The written bytes are in the file `input`. A pump
 * copies them into the command's pipe (or the master end of its terminal, descriptor 9 in both cases) as far as the
 * messages in the FIFO `bell` (7) allow: `upto N`, `end N` (then end of file), `size R C`. N counts from the first byte
 * ever written, so that a message may be repeated. The pump writes its position twice to `input-at`. A reader that
 * reads during a write sees two different numbers.
 *
 * - `feed` makes the pipe. A shell that starts a process in the foreground keeps the descriptors that the process
 *   inherits, and a reader that never reads would hide from the pump that the command has closed its input. So the
 *   shell closes the pipe, and the command opens it again through the pump (`begin`). `go` reports to the pump that the
 *   pipe has a reader. Where the descriptors of another process are hidden, the shell keeps the pipe open.
 * - A copy may wait as long as the command does not read, so each copy is a process of its own. The pump reads the bell
 *   meanwhile, and `stop` ends it with the command. Only children that were not waited for yet are signalled. The
 *   signal may come before the copy has a child (`$!` is still an earlier process) and then ends its first `wait`. The
 *   child gets KILL, because a shell that is about to exec head would lose any other signal.
 * - A command may end as soon as it has read its input. Then `stop` comes before the copy has reported. The pump
 *   records a copy that was complete (its exit status shows it). A copy ends by itself once the last reader is gone,
 *   and gets a moment for that. A copy that waits for another reader is ended.
 * - INT, TERM … are ignored, because a caught signal ends a `read`.
 * - The bell is opened in both directions, so that there is no end of file and no open that waits. If the directory was
 *   removed, the pump is killed by pid, after a check that the shim is still its parent.
 */
export const pump = `feed() {
  exec 7<>"$us_dir/bell" 9>/proc/self/fd/0
  pump &
  us_pump=$!
  exec 7>&- 9>&-
  [ ! -p /proc/$us_pump/fd/9 ] || { exec </dev/null; us_stdin=/proc/$us_pump/fd/9; }
}
begin() {
  [ -z "$us_stdin" ] || exec <"$us_stdin"
  echo go 1<>"$us_dir/bell"
}
stop() {
  if [ -p "$us_dir/bell" ]; then
    echo stop 1<>"$us_dir/bell"
  else
    read -r us_self us_a </proc/self/stat
    read -r us_a us_a us_a us_parent us_a </proc/$us_pump/stat
    [ "$us_parent" != "$us_self" ] || kill -KILL $us_pump
  fi
  wait $us_pump
}
pump() {
  trap '' INT HUP TERM QUIT PIPE
  exec </dev/null 4<"$us_dir/input" >/dev/null 2>&1 3>&- 5>&- 6>&- 8>&-
  us_at=0 us_goal=0 us_go= us_end= us_copy=
  while read -r us_word us_a us_b <&7; do
    case $us_word in
    go) us_go=1 ;;
    upto) [ "$us_a" -le $us_goal ] || us_goal=$us_a ;;
    end) us_end=1; [ "$us_a" -le $us_goal ] || us_goal=$us_a ;;
    size) "$us_stty" rows "$us_a" cols "$us_b" <&9 ;;
    copied)
      wait $us_copy
      us_copy=
      note $us_a ;;
    *) break ;;
    esac
    [ -n "$us_go" ] && [ -z "$us_copy" ] || continue
    if [ $us_at -lt $us_goal ]; then
      us_upto=$us_goal
      copy &
      us_copy=$!
    elif [ -n "$us_end" ]; then
      break
    fi
  done
  exec 9>&-
  [ -z "$us_copy" ] || settle
}
note() {
  us_at=$1
  printf '%-15s %-15s\\n' $us_at $us_at 1<>"$us_dir/input-at"
}
settle() {
  for us_a in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    read -r us_b us_b us_b us_word </proc/$us_copy/stat || break
    [ "$us_b" != Z ] || break
    "$us_head" -c 0 </dev/null
  done
  kill -USR1 $us_copy
  if wait $us_copy; then note $us_upto; fi
}
copy() {
  us_before=$!
  trap '[ "$!" != "$us_before" ] || exit; kill -KILL $!' USR1
  "$us_head" -c $((us_goal - us_at)) <&4 >&9 4<&- 7>&- 9>&- &
  if wait $! || wait $!; then us_word=copied; else us_word=broken; fi
  trap '' USR1
  echo "$us_word $us_goal" >&7
  [ $us_word = copied ]
}`;

/**
 * The server of a session, for dash, bash and the ash of busybox. It reads requests ("ID LENGTH", then a script of that
 * many bytes), runs each in a subshell and answers. For each followed run a process of its own sends what is new.
 *
 * - The frames of all processes go through one pipe, so each takes the only line out of a FIFO first. A process that sends
 *   a log lets answers go first. When the connection is gone, a process that meets its broken pipe puts the line back,
 *   so that the next one gets to the same end and none waits for ever.
 * - A process that is killed while it sends takes the line with it. So the shell that reads requests never waits for the line:
 *   it sees the end of the connection, which the client closes when an answer does not come in time. When that shell has
 *   ended, also by SIGKILL, the FIFO `life` has no writer any more. The process that reads it removes the directory of
 *   the session and then adds a line. Processes that get it see that the directory is gone, and end: the line may be
 *   a second one, and frames of two processes would be mixed.
 * - A state is read before the size of the log. When an end is sent, all bytes that the log had then have been sent. The
 *   state says how many, because another process may have sent them to a connection that is gone.
 * - `dd` with whole blocks seeks. The two filters after it cut exactly the wanted bytes, whatever was appended since.
 * - A reader must not take more bytes than it needs. `head` of busybox does, so `dd` reads requests.
 * - The size of a file comes from ls, because wc of busybox reads the whole file. BLOCK_SIZE would change its unit.
 * - A directory in /tmp may have been made by another user, with links in it. Nothing is written before its owner is known.
 * - A follower that is replaced ends by itself, a while later. So each has a file of its own, with its pid and start time, and
 *   removes it after they are in it: a follower without a file would not be missed when it is killed.
 * - The pid of a follower is known before its traps are set. Until then it ignores USR1, and USR2 ends it.
 * - A signal may interrupt a follower that waits for room in the pipe. What it could not send is sent again. USR1 makes it send
 *   its state once more, because a state that was lost would be waited for without end.
 * - Variables begin with up_, so that none of the environment is changed.
 */
export const sessionText = `up_mark=@MARK@
up_umask=$(umask)
umask 077
up_fail() { printf 'f %s\\n' "$*"; exit 1; }
[ -r /proc/self/stat ] || up_fail 'proc'
up_uid=$(id -u 2>/dev/null) || up_uid=x
up_homes() {
  case $XDG_STATE_HOME in /*) echo "$XDG_STATE_HOME/unstuck/places" ;; esac
  case $HOME in /*) echo "\${HOME%/}/.local/state/unstuck/places" ;; esac
  for up_h in /tmp /var/tmp /dev/shm; do echo "$up_h/unstuck-places-$up_uid"; done
}
up_own() { [ -d "$1" ] && [ -O "$1" ] && [ ! -L "$1" ]; }
up_home= up_said=
while read -r up_h; do
  [ -d "$up_h" ] || up_said=$(mkdir -p "$up_h" 2>&1) || continue
  up_own "$up_h" || { up_said="$up_h belongs to another user"; continue; }
  up_tmp=$up_h/.session.$$
  [ ! -d "$up_tmp" ] || rm -rf "$up_tmp"
  up_said=$(
    exec 2>&1
    chmod 700 "$up_h" && mkdir "$up_tmp" && mkfifo "$up_tmp/lock" "$up_tmp/life" && echo 1 >"$up_tmp/want"
  ) || {
    rm -rf "$up_tmp"
    continue
  }
  : >"$up_tmp/want"
  up_home=$up_h
  break
done <<UP_EOF
$(up_homes)
UP_EOF
[ -n "$up_home" ] || up_fail "home $up_said"
for up_h in "$up_home"/.session.*; do
  [ -d "/proc/\${up_h##*.}" ] || rm -rf "$up_h"
done
trap 'exit 1' HUP TERM INT
exec 7<>"$up_tmp/life" 8<>"$up_tmp/lock" 9>&1 >/dev/null
echo >&8
{
  trap '' HUP TERM INT
  exec <"$up_tmp/life" >/dev/null 2>&1 7>&- 9>&-
  read -r up_x
  rm -rf "$up_tmp"
  [ -p "$up_tmp/life" ] || echo >&8
} &
up_lock() {
  trap 'echo >&8; exit 1' PIPE
  while ! read -r up_x <&8; do :; done
  [ -p "$up_tmp/life" ] || { echo >&8; exit 1; }
}
up_unlock() { echo >&8; }
up_answer() {
  echo 1 >"$up_tmp/want"
  up_lock
  printf 'r %s %s\\n%s\\n%s.%s\\n' "$1" "$2" "$3" "$up_mark" "$1" >&9
  up_unlock
  : >"$up_tmp/want"
}
up_slow=
up_take() { dd bs="$1" count=1 iflag=fullblock 2>/dev/null || dd bs=1 count="$1" 2>/dev/null; }
up_boot=
{ read -r up_boot </proc/sys/kernel/random/boot_id; } 2>/dev/null
up_size() { set -- $(LS_BLOCK_SIZE=1 ls -ln "$1" 2>/dev/null); up_n=\${5:-}; [ -n "$up_n" ]; }
up_start_of() { set -- \${1##*) }; up_s=\${20}; up_z=$1; }
up_stat() {
  up_l=
  { read -r up_l <"/proc/$1/stat"; } 2>/dev/null || return 1
  set -- "$1" \${up_l##*) }
  [ $# -ge 21 ] || up_l=$(cat "/proc/$1/stat" 2>/dev/null)
}
up_alive() {
  up_stat "$1" || return 1
  up_start_of "$up_l"
  [ "$up_s" = "$2" ] || return 1
  case $up_z in Z | X) return 1 ;; esac
}
up_person() {
  up_l=
  { read -r up_l <"$up_dir/$1"; } 2>/dev/null
  case $up_l in
  *') '*) ;;
  *) up_who=-; return ;;
  esac
  up_p=\${up_l%% *}
  up_start_of "$up_l"
  up_who=$up_p:$up_s
  if [ "$up_same" = 1 ] && up_alive "$up_p" "$up_s"; then up_who=$up_who:1; else up_who=$up_who:0; fi
}
up_dir_of() {
  up_dir=$up_home/$1
  [ ! -d "$up_dir" ] || return 0
  while read -r up_h; do
    up_own "$up_h" && up_own "$up_h/$1" || continue
    up_dir=$up_h/$1
    return 0
  done <<UP_EOF
$(up_homes)
UP_EOF
  return 1
}
up_state() {
  up_claim=0 up_shim=- up_leader=- up_e=
  [ -d "$up_dir" ] || { up_now=gone; return; }
  up_b= up_same=0
  { read -r up_b <"$up_dir/boot"; } 2>/dev/null
  [ "$up_b" != "$up_boot" ] || up_same=1
  up_claim=0
  [ ! -e "$up_dir/claim" ] || up_claim=1
  up_person claim; up_shim=$up_who
  up_person pid; up_leader=$up_who
  up_e=-
  { read -r up_e <"$up_dir/exit"; } 2>/dev/null
  up_said=0
  [ ! -s "$up_dir/shell-said" ] || up_said=1
  up_u=no
  { read -r up_u <"$up_dir/unlogged"; } 2>/dev/null
  up_in=-
  { read -r up_in <"$up_dir/input-at"; } 2>/dev/null
  up_now="$up_claim $up_shim $up_leader \${up_e:--} $up_said \${up_in%% *} $up_u"
}
up_nap() {
  if [ -n "$up_slow" ]; then up_step=1; else
    case $1 in 0) up_step=0.01 ;; 1) up_step=0.02 ;; 2) up_step=0.05 ;; 3) up_step=0.1 ;; 4) up_step=0.2 ;; 5) up_step=0.5 ;; *) up_step=1 ;; esac
  fi
  sleep "$up_step" 2>/dev/null 9>&- 8>&- &
  wait $! || [ $? -gt 128 ] || up_slow=1
}
up_chunk() {
  while [ -s "$up_tmp/want" ]; do up_nap 0; done
  up_lock
  printf 'o %s %s %s %s\\n' "$1" "$2" "$3" "$4" >&9 || { up_unlock; return 1; }
  dd if="$5" bs=65536 skip=$(($3 / 65536)) count=$(($4 / 65536 + 2)) 2>/dev/null |
    tail -c +$(($3 % 65536 + 1)) | head -c "$4" >&9
  up_unlock
}
up_tell() {
  [ "$up_now" != "$up_last" ] || return 0
  up_ago=0
  [ -z "\${up_e}" ] || up_ago=$(($(date +%s) - $(date -r "$up_dir/exit" +%s 2>/dev/null || date +%s)))
  up_lock
  printf 's %s %s %s %s %s\\n' "$up_run" "$up_ago" "$up_at0" "$up_at1" "$up_now" >&9 && up_last=$up_now
  up_unlock
  up_i=0
}
up_trim() {
  up_dir_of "$1" || return 0
  fallocate -p -o 0 -l "$3" "$up_dir/$2" 2>/dev/null
  return 0
}
up_follow() {
  trap 'up_i=0 up_last=' USR1
  trap 'up_over=1' USR2
  up_over=
  up_dir_of "$1"
  up_run=$1 up_last= up_i=0 up_at0=$2 up_at1=\${3:-0} up_gap=1048576
  while [ -z "$up_over" ] && [ -d "$up_tmp" ] && up_alive $up_main; do
    up_state
    up_more=
    for up_k in 0 1; do
      eval "up_at=\\$up_at$up_k"
      case $up_k\${3:+2} in 0) up_f=output.log ;; 02) up_f=stdout.log ;; 12) up_f=stderr.log ;; *) continue ;; esac
      up_size "$up_dir/$up_f" || continue
      [ "$up_n" -gt "$up_at" ] || continue
      up_c=$((up_n - up_at))
      [ $up_c -le $up_gap ] || { up_c=$up_gap; up_more=1; }
      up_chunk "$up_run" "$up_k" "$up_at" "$up_c" "$up_dir/$up_f" || { up_more=1; continue; }
      eval "up_at$up_k=$((up_at + up_c))"
      up_i=0
    done
    [ -z "$up_more" ] || {
      up_gap=4194304
      case \${up_e:--}$up_shim in -*:1) up_tell ;; esac
      continue
    }
    up_tell
    case $up_now in
    gone) return ;;
    *) [ "\${up_e:--}" = - ] || case $up_shim in *:1) ;; *) return ;; esac ;;
    esac
    case "$up_shim $up_leader " in *":1 "*) ;; *) [ "$up_claim" = 0 ] || { [ $up_i -lt 9 ] || return; } ;; esac
    up_nap $up_i
    up_i=$((up_i + 1))
  done
}
up_check() {
  for up_f in "$up_tmp"/follower.*; do
    up_p=
    { read -r up_p <"$up_f"; } 2>/dev/null || continue
    up_alive $up_p || [ ! -e "$up_f" ] || return 1
  done
  return 0
}
up_wake() {
  for up_f in "$up_tmp/follower.$1".*; do
    up_p=
    { read -r up_p <"$up_f"; } 2>/dev/null || continue
    ! up_alive $up_p || kill -s "$2" "\${up_p%% *}" 2>/dev/null
  done
  return 0
}
up_watch() {
  up_wake "$1" USR2
  up_own_file=$up_tmp/follower.$1.$up_id
  trap '' USR1
  {
    exec </dev/null >/dev/null 2>&1
    up_follow "$@"
    while [ -d "$up_tmp" ] && [ ! -s "$up_own_file" ]; do up_nap 0; done
    rm -f "$up_own_file"
  } &
  up_stat $! && up_start_of "$up_l" || up_s=0
  echo "$! $up_s" >"$up_own_file"
}
@FUNCTIONS@
up_stat $$ && up_start_of "$up_l"
up_main="$$ $up_s"
echo h >&9
while read -r up_id up_len; do
  up_script=$(up_take "$up_len")
  (
    exec </dev/null 7>&-
    up_out=$(eval "$up_script" 2>&1)
    up_status=$?
    [ $up_status = 99 ] || up_answer "$up_id" "$up_status" "$up_out" &
  )
done`;

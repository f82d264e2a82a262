/**
 * Starts a command below the same shim that runs here use (run/launch/shim.ts). Two starts may overlap, when a connection
 * that stalled goes on: files are only made where there are none, and the shim that makes the claim goes on. A start is
 * answered when the shim has closed its control pipe. It is in a session of its own then, so the end of the connection
 * cannot end it. `up_enter` makes the directory and the environment of the command those of the calling shell.
 *
 * A shell makes what it starts with & ignore INT and QUIT, which no shell and no command below it can undo. So the shim is
 * the first part of a pipeline, whose second part kills the shell that would wait for it.
 */
export const runsText = `up_file() {
  [ -e "$up_dir/$1" ] || (
    set -C
    case $2 in '') : >"$up_dir/$1" ;; *) echo "\${2%.}" >"$up_dir/$1" ;; esac
  ) || [ -e "$up_dir/$1" ]
}
up_make() {
  up_dir_of "$1" || {
    up_dir=$up_home/$1
    mkdir -p "$up_dir" || return 1
  }
  shift
  for up_f in pid shell-said input "$@"; do up_file "$up_f" '' || return 1; done
  up_file exit "$(printf '%-15s.' '')" && up_file unlogged 'no      .' && up_file boot "$up_boot." &&
    up_file input-at "$(printf '%-15s %-15s.' 0 0)" || return 1
  [ -p "$up_dir/bell" ] || mkfifo "$up_dir/bell" || [ -p "$up_dir/bell" ]
}
up_launch() {
  up_streams=$1 up_input=$2 up_name=$3
  shift 3
  up_cat=$(command -v cat) up_head=$(command -v head) up_stty=$(command -v stty || echo stty)
  up_setsid=$(command -v setsid) && up_alone="$up_setsid --" || up_alone=
  up_sh=$(command -v sh)
  UNSTUCK_SHIM="umask $up_umask
$up_shim_text"
  export UNSTUCK_SHIM
  up_x=$(
    exec </dev/null 3>&1 >/dev/null 2>&1 8>&- 9>&-
    up_enter
    exec "$up_sh" -c '"$@" >/dev/null | kill -s KILL $$' unstuck \${up_setsid:+"$up_setsid"} "$up_sh" -c 'eval "$UNSTUCK_SHIM"' unstuck "$up_dir" "$up_cat" "$up_alone" "$up_streams" "$up_name" "$up_input" "$up_head" "$up_stty" '' "$@"
  ) || [ $? -gt 128 ]
}
up_run_pid() { up_state; echo "started \${up_leader%%:*}"; }
up_fed() {
  up_dir_of "$1" && up_size "$up_dir/input" && echo "$up_n"
}
up_feed() {
  up_dir_of "$1" || return 1
  printf "$5" | dd of="$up_dir/input" bs="$4" seek=$(($2 / $4)) conv=notrunc 2>/dev/null || return 1
  up_size "$up_dir/input" && [ "$up_n" -ge $(($2 + $3)) ]
}
up_ring() {
  up_dir_of "$1" && [ -p "$up_dir/bell" ] || return 1
  up_state
  case "$up_shim $up_leader " in *":1 "*) echo "$2 $3" 1<>"$up_dir/bell" ;; esac
}
up_resize() {
  up_dir_of "$1" || return 1
  up_scan "$1"
  for up_m in $up_found; do
    up_t=$(readlink "/proc/\${up_m%%:*}/fd/0" 2>/dev/null)
    case $up_t in /dev/pts/*) stty rows "$2" cols "$3" <"$up_t" 2>/dev/null && return 0 ;; esac
  done
}
up_remove() {
  case $1 in run_[0-9a-f]*) ;; *) return 1 ;; esac
  up_dir_of "$1" || return 0
  up_state
  case "$up_shim $up_leader " in *":1 "*) return 5 ;; esac
  rm -rf "$up_dir"
}
up_pty() {
  up_line="stty rows $1 cols $2 2>/dev/null; exec"
  shift 2
  for up_w in "$@"; do up_line="$up_line '$(printf '%s.' "$up_w" | sed "s/'/'\\\\\\\\''/g")"; up_line="\${up_line%.}'"; done
  up_recorder=$(command -v script) || return 24
  if script --version 2>/dev/null | grep -q util-linux; then
    set -- "$up_recorder" -qefc "$up_line" /dev/null
  else
    set -- "$up_recorder" -q -f -c "$up_line" /dev/null
  fi
  up_launch 1 pipe "$up_name" "$@"
}`;

/**
 * Finds, freezes, signals and stops the processes of a run. A process belongs to it by the run id in its environment, by
 * the session of a command that lives, or as a descendant. Its start time is compared before each signal.
 *
 * - A shell reads a file byte by byte, and a new process for each of hundreds takes seconds. So one cat and one grep
 *   read all processes. A grep that knows -z finds its own mark too.
 * - A part is a member with its descendants, and the groups and sessions that these lead. What was seen in it stays in it.
 * - The name of a process may contain line ends. A row that is not whole is read once more, alone.
 */
export const stopText = `up_part=
up_marked() {
  up_envs="
$(UP_MARK=1 grep -lzE "^UP_MARK=1\\$|^UNSTUCK_RUN_(ID|CHAIN)=(.*:)?$1(:.*)?\\$" /proc/self/environ /proc/[0-9]*/environ 2>/dev/null)
"
  case $up_envs in *"
/proc/self/environ
"*) return ;; esac
  for up_p in /proc/[0-9]*; do
    ! tr '\\0\\n' '\\n ' 2>/dev/null <"$up_p/environ" | grep -qE "^UNSTUCK_RUN_(ID|CHAIN)=(.*:)?$1(:.*)?\\$" || up_envs="$up_envs$up_p/environ
"
  done
}
up_scan() {
  up_state
  up_marked "$1"
  up_lp=\${up_leader%%:*} up_sid=none
  case $up_leader in *:1) up_sid=$up_lp ;; esac
  up_rows= up_found= up_ifs=$IFS
  up_l=$(cat /proc/[0-9]*/stat 2>/dev/null)
  set -f
  IFS='
'
  set -- $up_l
  IFS=$up_ifs
  for up_l in "$@"; do
    up_q=\${up_l%% *}
    set -- \${up_l##*) }
    case $up_q in *[!0-9]*) continue ;; esac
    [ $# -ge 20 ] || { up_stat "$up_q" && set -- \${up_l##*) } && [ $# -ge 20 ] || continue; }
    case $1 in Z | X) continue ;; esac
    up_mine=
    [ "$4" != "$up_sid" ] && [ "$up_q" != "$up_sid" ] || up_mine=1
    case $up_envs in *"
/proc/$up_q/environ
"*) up_mine=1 ;; esac
    up_rows="$up_rows $up_q:$2:$3:$4:\${20}"
    [ -z "$up_mine" ] || up_found="$up_found $up_q:\${20}"
  done
  set +f
  up_among=$up_rows
  up_grow
  [ -z "$up_part" ] || up_narrow
}
up_grow() {
  up_grew=1
  while [ -n "$up_grew" ]; do
    up_grew= up_rest=
    for up_r in $up_among; do
      up_q=\${up_r#*:}
      case "$up_found " in
      *" \${up_r%%:*}:\${up_r##*:} "*) ;;
      *" \${up_q%%:*}:"*) up_found="$up_found \${up_r%%:*}:\${up_r##*:}" up_grew=1 ;;
      *) up_rest="$up_rest $up_r" ;;
      esac
    done
    up_among=$up_rest
  done
}
up_narrow() {
  up_whole=$up_found up_found= up_among=
  for up_r in $up_rows; do
    up_q=\${up_r%%:*}:\${up_r##*:}
    case "$up_whole " in *" $up_q "*) up_among="$up_among $up_r" ;; *) continue ;; esac
    case " $up_part$up_seen " in *" $up_q "*) up_found="$up_found $up_q" ;; esac
  done
  up_grow
  for up_r in $up_among; do
    up_q=\${up_r#*:*:} up_s=\${up_q#*:}
    case "$up_found " in *" \${up_q%%:*}:"* | *" \${up_s%%:*}:"*) up_found="$up_found \${up_r%%:*}:\${up_r##*:}" ;; esac
  done
  up_grow
}
up_send() {
  up_alive "\${2%%:*}" "\${2#*:}" || return 0
  kill -s "$1" "\${2%%:*}" 2>/dev/null
}
up_words() { printf '%.300s' "$(tr '\\0\\n' '  ' 2>/dev/null <"/proc/$1/cmdline")"; }
up_note() {
  case "$up_seen " in *" $1 "*) ;; *) up_seen="$up_seen $1" up_about="$up_about$1 $(up_words "\${1%%:*}")
" ;; esac
}
up_wait() {
  up_left=$1
  while [ "$up_left" -gt 0 ]; do
    up_live=
    for up_m in $up_seen; do ! up_alive "\${up_m%%:*}" "\${up_m#*:}" || { up_live=1; break; }; done
    [ -n "$up_live" ] || {
      up_scan "$2"
      [ -n "$up_found" ] || return 0
      for up_m in $up_found; do up_note "$up_m"; done
    }
    if [ -n "$up_slow" ]; then up_left=$((up_left - 10)); else up_left=$((up_left - 1)); fi
    up_nap 3
  done
  return 1
}
up_freeze() {
  up_frozen= up_rounds=0
  while [ $up_rounds -lt 50 ]; do
    up_rounds=$((up_rounds + 1))
    up_scan "$1"
    up_new=
    for up_m in $up_found; do
      case "$up_frozen " in *" $up_m "*) continue ;; esac
      up_new=1
      up_note "$up_m"
      up_send STOP "$up_m"
      if up_alive "\${up_m%%:*}" "\${up_m#*:}"; then up_frozen="$up_frozen $up_m"; fi
    done
    [ -n "$up_new" ] || return 0
  done
}
up_stop() {
  trap '' HUP TERM INT
  up_dir_of "$1"
  up_seen= up_about= up_term= up_part=$3
  up_scan "$1"
  for up_m in $up_found; do
    up_note "$up_m"
    up_send TERM "$up_m" && up_send CONT "$up_m"
    up_term="$up_term $up_m"
  done
  up_killed=
  up_wait "$2" "$1" || {
    up_freeze "$1"
    for up_m in $up_frozen; do up_send KILL "$up_m"; done
    up_killed=$up_frozen
    up_wait 100 "$1"
  }
  echo "rounds \${up_rounds:-1}"
  for up_m in $up_seen; do
    up_r=ended up_g=
    case "$up_term " in *" $up_m "*) up_g=TERM ;; esac
    case "$up_killed " in *" $up_m "*) up_g="\${up_g:+$up_g,}STOP,KILL" ;; esac
    ! up_alive "\${up_m%%:*}" "\${up_m#*:}" || { up_r=survived; kill -s 0 "\${up_m%%:*}" 2>/dev/null || up_r=not-permitted; }
    echo "process $up_m $up_r \${up_g:--}"
  done
  printf '%s' "$up_about" | while read -r up_m up_x; do echo "command $up_m $up_x"; done
}
up_pause() {
  up_dir_of "$1"
  up_seen= up_about=
  up_freeze "$1"
  echo "paused$up_frozen"
}
up_resume() {
  up_dir_of "$1"
  up_scan "$1"
  for up_m in $up_found; do up_send CONT "$up_m"; done
  echo "resumed$up_found"
}
up_signal() {
  up_dir_of "$1"
  up_scan "$1"
  up_got=
  for up_m in $up_found; do
    case $3 in
    leader) [ "\${up_m%%:*}" = "$up_lp" ] || continue ;;
    session)
      up_l=
      { read -r up_l <"/proc/\${up_m%%:*}/stat"; } 2>/dev/null || continue
      set -- "$1" "$2" "$3" \${up_l##*) }
      [ "$7" = "$up_lp" ] || [ "\${up_m%%:*}" = "$up_lp" ] || [ "$up_sid" = none ] || continue ;;
    esac
    up_send "$2" "$up_m" && up_got="$up_got \${up_m%%:*}"
    case $2 in INT | QUIT | HUP | TERM) up_send CONT "$up_m" ;; esac
  done
  echo "signalled$up_got"
}
up_break() {
  up_dir_of "$1" || return 1
  up_got=
  for up_p in /proc/[0-9]*; do
    [ "$up_p/fd/1" -ef "$up_dir/$2" ] && up_stat "\${up_p#/proc/}" || continue
    up_start_of "$up_l"
    up_send USR1 "\${up_p#/proc/}:$up_s" && up_got=1
  done
  [ -n "$up_got" ]
}
up_left() {
  up_dir_of "$1"
  up_scan "$1"
  for up_m in $up_found; do echo "process $up_m $(up_words "\${up_m%%:*}")"; done
}
up_later() {
  {
    exec </dev/null >/dev/null 2>&1
    up_out=$("$@" 2>&1)
    up_answer "$up_id" $? "$up_out"
  } &
  exit 99
}`;

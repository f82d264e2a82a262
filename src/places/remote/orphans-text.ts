/**
 * Lists the processes that carry the mark of a run, and what has become of each run: it lives, it is over, another state
 * home of that machine has it, or there is nothing of it. A new process costs more than all else, so the shell takes the
 * variables apart itself. A directory whose name has a line end is not shown: it could pretend to be another line.
 */
export const orphansText = `up_nl='
'
up_value() {
  case $up_vars in
  *"$up_nl$1="*) up_w=\${up_vars#*"$up_nl$1="} up_w=\${up_w%%"$up_nl"*} ;;
  *) up_w= ;;
  esac
}
up_fate() {
  up_dir_of "$1" || {
    up_value UNSTUCK_HOME; up_h1=$up_w
    up_value XDG_STATE_HOME; up_h2=$up_w/unstuck
    up_value HOME; up_h3=$up_w/.local/state/unstuck
    for up_h in "$up_h1" "$up_h2" "$up_h3"; do
      [ ! -d "$up_h/runs/$1" ] && [ ! -d "$up_h/places/$1" ] || { up_fated=other; return; }
    done
    up_fated=none
    return
  }
  up_state
  up_fated=lives
  case $up_leader in *:1) return ;; esac
  case \${up_e:--} in -) ;; *) up_fated=over; return ;; esac
  case $up_claim$up_shim in 1*:0) up_fated=over ;; esac
}
up_orphans() {
  up_marked 'run_[0-9a-f]+'
  up_tick=$(getconf CLK_TCK 2>/dev/null) || up_tick=100
  up_page=$(getconf PAGESIZE 2>/dev/null) || up_page=4096
  read -r up_up up_x </proc/uptime
  up_ids=
  for up_v in $up_envs; do
    up_q=\${up_v#/proc/} up_q=\${up_q%/environ}
    case $up_q in *[!0-9]*) continue ;; esac
    up_stat "$up_q" || continue
    set -- \${up_l##*) }
    case $1 in Z | X) continue ;; esac
    up_vars="$up_nl$(tr '\\0\\n' '\\n ' 2>/dev/null <"$up_v")$up_nl"
    up_value UNSTUCK_RUN_ID
    up_id=$up_w
    case $up_id in run_*[!0-9a-f]* | run_) continue ;; run_*) ;; *) continue ;; esac
    case "$up_ids " in
    *" $up_id:"*) up_fated=\${up_ids#*" $up_id:"} up_fated=\${up_fated%% *} ;;
    *) up_fate "$up_id"; up_ids="$up_ids $up_id:$up_fated"; echo "run $up_id $up_fated" ;;
    esac
    [ $up_fated != lives ] || continue
    up_cwd=$(readlink "/proc/$up_q/cwd" 2>/dev/null)
    case $up_cwd in *"$up_nl"*) up_cwd= ;; esac
    up_words=$(up_words "$up_q")
    up_alive "$up_q" "\${20}" || continue
    echo "process $up_q \${20} $up_id $((\${22} * up_page / 1024)) $((\${up_up%%.*} - \${20} / up_tick))"
    echo "cwd $up_q $up_cwd"
    echo "command $up_q $up_words"
  done
}
up_orphans`;

import { readers } from './collector-readers.js';
import { argumentReader } from './pointer-arguments.js';

export interface CollectorLimits {
  /** Time between the two readings. */
  gapMs: number;
  /** After this time nothing new is begun, and what is missing is reported. */
  seconds: number;
  /** Processes of the tree that are read. */
  tree: number;
  /** Processes outside the tree that are read whole. */
  outside: number;
}

export const collectorLimits: CollectorLimits = { gapMs: 80, seconds: 12, tree: 300, outside: 48 };

/**
 * Reads /proc of the tree of a process twice and prints it in frames. For dash, bash and busybox ash; other programs:
 * cat, ls, sleep, and where there are any: head, dd, grep, ss, uname, date. Small files are read by the shell itself, because
 * a new process costs more than all of them.
 *
 * A frame is a line feed, the mark, a letter and a path; then its content. The mark is random, so that no content looks
 * like a frame: f file, l links as \`ls -l\` prints them, n numbers in a directory, t files of all threads in one, m memory
 * (path, address), c clocks of a process, x not readable (reason, path), i facts of the machine, d what was read of
 * that process before does not count, z the second reading begins, e end.
 *
 * - The counters of a thread come before everything that they vouch for, and again at the end.
 * - Names of files may contain line feeds: the numbers of open files come from a pattern of the shell, so that a line
 *   that a name pretends is one too many and shows.
 * - A process whose first thread has ended shows neither its memory nor its open files there: the search is not complete.
 * - The environment is never read.
 */
export function collectorScript(
  pid: number,
  mark: string,
  limits: CollectorLimits = collectorLimits,
): string {
  const gap = (limits.gapMs / 1000).toFixed(3);
  return `
exec 2>/dev/null
LC_ALL=C
export LC_ALL
PATH=$PATH:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin
N=${mark}
D=$$
M=$(uname -m)
nl='
'
IFS=' 	'$nl
set +f
${readers}
${argumentReader()}
first() {
  p=$1
  s=
  [ -e "/proc/$p/stat" ] || return 1
  once "whole $p" || return 1
  R="$R $p"
  case $O in *"|process $p|"*) h "d $p";; esac
  tasks
  for t in $T; do B "/proc/$p/task/$t/schedstat"; done
  f "/proc/$p/stat"
  clock
  h "t /proc/$p/task stat"
  cat /proc/$p/task/[0-9]*/stat
  children
  for t in $T; do
    B "/proc/$p/task/$t/syscall"
    case $v in [0-9]*' '*) a $v;; esac
    b "/proc/$p/task/$t/wchan"
  done
  h "t /proc/$p/task sched"
  cat /proc/$p/task/[0-9]*/sched
  f "/proc/$p/status"
  f "/proc/$p/cmdline"
  B "/proc/$p/io"
  b "/proc/$p/timers"
  b "/proc/$p/timens_offsets"
  files
  eval "H$p="
  links "/proc/$p/exe" "/proc/$p/ns/net" "/proc/$p/ns/mnt" "/proc/$p/ns/pid" $G
  eval "W=\\$W\\$H$p"
  f "/proc/$p/cgroup"
  if space mnt; then
    once "$S" && { h "f /$S/mountinfo"; r "/proc/$p/mountinfo"; }
    n=\${L#* "/proc/$p/exe -> "}
    n=\${n%%$nl*}
    case $n in /*) once "$S $n" && { h "f /$S/exe$n"; dd if="/proc/$p/exe" bs=4096 count=1; };; esac
  fi
  if space net && once "$S"; then
    for l in tcp tcp6 udp udp6 netlink packet; do
      if [ -r "/proc/$p/net/$l" ]; then h "f /$S/$l"; r "/proc/$p/net/$l"; fi
    done
    V="$V $p"
  fi
  [ -n "$s" ] && Y=1
  return 0
}
peers() {
  k=$(cat "/proc/$p/net/tcp" "/proc/$p/net/tcp6")
  for o in 1 2; do
    IFS=$nl
    for l in $k; do
      IFS=' 	'$nl
      set -- $l
      case $o in
      1) case $W in *"|socket:[\${10}]|"*) P="$P|\${3##*:} \${2##*:}|\${3##*:}|";; esac;;
      2)
        case $P in *"|\${2##*:} \${3##*:}|"*) W="$W|socket:[\${10}]|";; esac
        case $4 in 0A) case $P in *"|\${2##*:}|"*) W="$W|socket:[\${10}]|";; esac;; esac;;
      esac
    done
  done
  IFS=' 	'$nl
}
groups() {
  while IFS=: read -r l k n; do
    [ "$n" = / ] && continue
    case ,$k, in
    ,,) for o in "/sys/fs/cgroup$n" "/sys/fs/cgroup/unified$n"; do
        [ -r "$o/cgroup.events" ] && once "$1 $o" && { b "$o/cgroup.events"; b "$o/cpu.stat"; }
      done;;
    *,freezer,*) once "$1 $n freezer" && b "/sys/fs/cgroup/freezer$n/freezer.state";;
    *,cpu,*) once "$1 $n cpu" && b "/sys/fs/cgroup/cpu$n/cpu.stat";;
    esac
  done <"/proc/$p/cgroup"
}
other() {
  p=$1
  G=
  once "process $p" || return 0
  B "/proc/$p/stat"
  [ -n "$v" ] || return 0
  v=\${v##*) }
  set -- $v
  case $2,$p,$1 in 2,*|*,2,*) return 0;; esac
  if [ "$1" = Z ]; then
    [ "\${18}" -gt 1 ] && h "x limit /proc"
    return 0
  fi
  files
  G="/proc/$p/exe $G"
  A="$A $p"
}
others() {
  set --
  for q in /proc/[0-9]*; do
    case " $R " in *" \${q##*/} "*) continue;; esac
    if late; then h "x limit /proc"; return; fi
    other "\${q##*/}"
    set -- "$@" $G
    if [ $# -gt 1000 ]; then
      links "$@"
      set --
    fi
  done
  [ $# = 0 ] || links "$@"
}
second() {
  p=$1
  tasks
  children
  for t in $T; do
    B "/proc/$p/task/$t/schedstat"
    B "/proc/$p/task/$t/syscall"
  done
  f "/proc/$p/stat"
  h "t /proc/$p/task stat"
  cat /proc/$p/task/[0-9]*/stat
  B "/proc/$p/io"
  groups 2
}
O= R= A= W= P= V= Y=
read -r u l </proc/uptime
E=$((\${u%%.*} + ${limits.seconds}))
h "i machine"
printf '%s\\n%s\\n%s\\n%s\\n%s\\n' "$D" "$(uname -r)" "$M" "$(date +%s)" "$u"
f /proc/sys/kernel/random/boot_id
f /proc/self/status
p=self
h "l /proc/self"
ls -lnd /proc/self/ns/net /proc/self/ns/pid
Q=${pid}
c=0
while [ -n "\${Q# }" ]; do
  set -- $Q
  Q=
  for z in "$@"; do
    if [ $c -ge ${limits.tree} ] || late; then h "x limit /proc/$z"; continue; fi
    c=$((c + 1))
    first "$z" && Q="$Q $K"
  done
done
for p in $V; do peers; done
f /proc/locks
k=$(ss -xaHn) && { h "i ss"; printf '%s\\n' "$k"; }
set -f
IFS=$nl
for l in $k; do
  n=\${l##* }
  l=\${l% *}
  l=\${l% *}
  case $W in *"|socket:[\${n}]|"*) W="$W|socket:[\${l##* }]|";; esac
done
IFS=' 	'$nl
set +f
others
c=0
for z in 1 2 3; do
  n=$A
  A=
  j=$c
  for q in $n; do
    eval "H=\\$H$q"
    set -f
    IFS='|'
    v=
    for l in $H; do
      case $l in '') continue;; esac
      case $W in *"|$l|"*) v=1; break;; esac
    done
    IFS=' 	'$nl
    set +f
    if [ -z "$v" ] || [ $c -ge ${limits.outside} ] || late; then A="$A $q"; continue; fi
    c=$((c + 1))
    first "$q"
  done
  [ $c = $j ] && break
done
others
for p in $R; do
  groups 1
  [ -n "$Y" ] && f "/proc/$p/maps"
done
if [ -n "$Y" ]; then
  for p in $A; do
    case " $R " in *" $p "*) continue;; esac
    late && break
    k=$(grep ' ...s ' "/proc/$p/maps")
    [ $? -le 1 ] && { h "f /proc/$p/maps"; printf '%s\\n' "$k"; }
  done
fi
if [ -r /proc/timer_list ]; then for l in 1 2 3; do h "f /proc/timer_list.$l"; head -c 1000000 /proc/timer_list; done; fi
h "n /proc"
for q in /proc/[0-9]*; do printf '%s ' "\${q##*/}"; done
sleep ${gap} || sleep 1
read -r u l </proc/uptime
h "z $u"
for z in $R; do second "$z"; done
read -r u l </proc/uptime
h "e $u"
`;
}

/**
 * Functions of the collector, in the language of every shell. `h` begins a frame. `x` reports a file that cannot be
 * read. `b` and `B` read a small file without a new process, `B` one that is never empty; its text is in `v`. `f`
 * reads any file, `g` memory. `late`: the time is over. `files` lists the open files of process `p` in `G`; `links`
 * prints where links lead, and notes in `H<pid>` what the process has open. `once` succeeds the first time only.
 */
export const readers = `
h() { printf '\\n%s %s\\n' "$N" "$*"; }
x() { if [ -e "$1" ]; then h "x denied $1"; else h "x gone $1"; fi; }
b() {
  v=
  if { while IFS= read -r l; do v=$v$l$nl; done; v=$v$l; } <"$1"; then h "f $1"; printf '%s' "$v"; else x "$1"; fi
}
B() {
  v=
  l=
  { while IFS= read -r l; do v=$v$l$nl; done; v=$v$l; } <"$1"
  if [ -n "$v" ]; then h "f $1"; printf '%s' "$v"; else x "$1"; fi
}
if head -c 1 </dev/null; then r() { head -c 8388608 "$1"; }; else r() { cat "$1"; }; fi
f() {
  if [ -r "$1" ]; then
    h "f $1"
    r "$1" || x "$1"
  else x "$1"; fi
}
g() {
  case $2 in 0) return;; esac
  case $1 in 0x????*) h "m /proc/$p/mem $1"; dd if="/proc/$p/mem" bs=1 skip=$(($1)) count=$(($2));; esac
}
late() {
  read -r u l </proc/uptime
  [ "\${u%%.*}" -ge "$E" ]
}
clock() {
  read -r u l </proc/uptime
  read -r l </proc/self/stat
  l=\${l##*) }
  set -- $l
  shift 36
  w=$1
  { read -r l; read -r l; read -r l; } </proc/self/sched
  h "c $p"
  printf '%s %s %s\\n' "$u" "$w" "\${l##*:}"
}
numbers() {
  o=$1
  shift
  h "n $o"
  for l in "$@"; do printf '%s ' "\${l##*/}"; done
}
files() {
  G=
  set -- /proc/$p/fd/*
  case $1 in
  *\\*) if [ -r "/proc/$p/fd" ]; then h "n /proc/$p/fd"; else x "/proc/$p/fd"; fi;;
  *) if [ $# -gt 4096 ]; then h "x limit /proc/$p/fd"; else numbers "/proc/$p/fd" "$@"; G=$*; fi;;
  esac
}
links() {
  L=$(ls -lnd "$@")
  h l
  printf '%s\\n' "$L"
  set -f
  IFS=$nl
  for l in $L; do
    n=\${l#* /proc/}
    o=\${n%%/*}
    n=\${n#*/}
    case $n in fd/[0-9]*' -> '*);; *) continue;; esac
    k=\${n#* -> }
    n=\${n%% *}
    case $k in
    anon_inode:*|pidfd:*|/dev/ptmx|/dev/pts/ptmx)
      IFS=' 	'$nl
      b "/proc/$o/fdinfo/\${n#fd/}"
      IFS=$nl
      case $k in
      /dev/*) case $v in *tty-index:*) v=\${v#*tty-index:}; v=\${v%%$nl*}; k=ptmx:\${v##*[ 	]};; esac;;
      *) continue;;
      esac;;
    /dev/pts/*) k=ptmx:\${k##*/};;
    /dev/null|/dev/zero|/dev/urandom) continue;;
    esac
    eval "H$o=\\$H$o\\|\\$k\\|"
  done
  IFS=' 	'$nl
  set +f
}
once() {
  case $O in *"|$1|"*) return 1;; esac
  O="$O|$1|"
}
space() {
  n=\${L#* "/proc/$p/ns/$1 -> "}
  S=\${n%%$nl*}
  case $S in $1:\\[*) return 0;; esac
  return 1
}
tasks() {
  T=
  for l in /proc/$p/task/[0-9]*; do T="$T \${l##*/}"; done
  h "n /proc/$p/task"
  printf '%s' "$T"
}
children() {
  K=
  for t in $T; do
    b "/proc/$p/task/$t/children"
    K="$K $v"
  done
  if [ ! -e "/proc/$p/task/$p/children" ]; then
    for q in /proc/[0-9]*; do
      read -r l <"$q/stat" || continue
      l=\${l##*) }
      set -- $l
      [ "$2" = "$p" ] && K="$K \${q##*/}"
    done
  fi
}
`;

/** A script for bash. `"$@"` stands for nothing, `timeout 1h` or `unstuck run --`. What it prints is compared. */
export interface Row {
  name: string;
  script: string;
  /** What `unstuck run` prints instead. The difference and its reason are in docs/transparency.md under this name. */
  instead?: string;
  /** It prints what `timeout` does, which is not what the command prints alone. This is on the same page. */
  like?: 'timeout';
}

/** Starts a program in the background that prints `ready` into the file `out`, then sends it a signal. */
const background = (program: string, act: string): string => `set -m
"$@" sh -c '${program}' >out 2>err & p=$!
until grep -q ready out 2>/dev/null; do sleep 0.02; done
${act}
wait $p; echo "code $?"; cat out`;

/** Waits in bash until a condition holds, with a bound. */
const until = (condition: string): string =>
  `for k in {1..600}; do [[ ${condition} ]] && break; sleep 0.05; done`;

/** Without end, but not so fast that it fills the disk while others have the CPU. */
const endless = 'while echo y; do sleep 0.01; done';

/** Waits for at most thirty seconds. Signals end a sleep of 50 ms at most. */
const idle = 'echo ready; i=0; while [ $i -lt 600 ]; do sleep 0.05; i=$((i+1)); done; echo late';

const caught = [
  'HUP',
  'INT',
  'QUIT',
  'ABRT',
  'USR1',
  'USR2',
  'ALRM',
  'TERM',
  'VTALRM',
  'PROF',
  'XCPU',
  'PWR',
  'IO',
  'URG',
  'WINCH',
];
const deadly = ['HUP', 'USR1', 'USR2', 'ALRM', 'TERM', 'KILL', 'SEGV', 'ABRT', 'QUIT', 'XCPU'];

/** Prints how a program ended as its parent sees it: an exit code, or a signal as a negative number. */
const asParent = "python3 -c 'import subprocess, sys; print(subprocess.run(sys.argv[1:]).returncode)'";

/** Starts a program with a socket as its stdin. */
const withSocket = `python3 -c '
import socket, subprocess, sys
a, b = socket.socketpair()
a.sendall(b"hello\\n"); a.close()
subprocess.run(sys.argv[1:], stdin=b)'`;

const masks = "grep -E '^Sig(Blk|Ign)' /proc/self/status";

export const rows: Row[] = [
  ...caught.map((signal) => ({
    name: `SIG${signal} runs the handler of the command`,
    script: background(`trap "echo got ${signal}; exit 3" ${signal}; ${idle}`, `kill -${signal} $p`),
  })),
  {
    name: 'a program may send SIGINT and SIGTERM many times',
    script: background(
      `n=0; trap "n=\\$((n+1)); echo got" INT TERM; echo ready; i=0; while [ $i -lt 600 ] && [ $n -lt 4 ]; do sleep 0.05; i=$((i+1)); done; exit 5`,
      `seen=; for s in INT TERM INT TERM; do kill -$s $p; seen=$seen*got; ${until('$(<out) == $seen*')}; done`,
    ),
  },
  {
    name: 'a signal for the command does not reach its children',
    script: background(
      'trap "echo got" USR1; (trap "echo child got" USR1; echo ready; i=0; until [ -e go ] || [ $i -gt 600 ]; do sleep 0.05; i=$((i+1)); done) & wait; wait',
      `kill -USR1 $p; ${until('$(<out) == *got*')}; : >go`,
    ),
  },
  {
    name: 'output after a signal still arrives',
    script: background('trap "" USR2; echo ready; sleep 0.5; echo late', 'kill -USR2 $p'),
  },
  ...deadly.map((signal) => ({
    name: `a command that SIG${signal} ended`,
    script: `ulimit -c 0; ${asParent} "$@" sh -c 'kill -${signal} $$; sleep 1'`,
  })),
  {
    name: 'a command that SIGINT ended, sent to it alone',
    script: `${asParent} "$@" sh -c 'kill -INT $$; sleep 1'`,
    instead: '130\n',
  },
  {
    name: 'no core file of our own',
    script: `ulimit -S -c unlimited; "$@" sh -c 'ulimit -c 0; kill -SEGV $$'; echo "code $?"; ls`,
  },
  { name: 'exit code 0', script: '"$@" true; echo $?' },
  { name: 'exit code 42', script: '"$@" sh -c "exit 42"; echo $?' },
  { name: 'exit code 130 of its own', script: `${asParent} "$@" sh -c 'exit 130'` },
  { name: 'nohup', script: `nohup "$@" ${masks} 2>/dev/null` },
  { name: 'SIGCHLD stays ignored', script: `(trap '' CHLD; "$@" ${masks})`, like: 'timeout' },
  ...['HUP', 'INT', 'QUIT', 'PIPE', 'USR1', 'USR2', 'TERM', 'TSTP', 'TTOU', 'XFSZ'].map((signal) => ({
    name: `SIG${signal} stays ignored`,
    script: `(trap '' ${signal}; "$@" ${masks})`,
  })),
  { name: 'no signal is ignored that was not', script: `env --default-signal "$@" ${masks}` },
  { name: 'blocked signals stay blocked', script: `env --block-signal=USR1,WINCH "$@" ${masks}` },
  {
    name: 'Ctrl-C does not reach a job that ignores it',
    script: `(trap '' INT; ${background('echo ready; sleep 0.5; echo late', 'kill -INT $p')})`,
  },
  { name: 'descriptor 3', script: '"$@" sh -c "cat <&3" 3<<<three' },
  {
    name: 'descriptors 3 to 9',
    script: `"$@" bash -c 'for i in 3 4 5 6 7 8 9; do cat <&$i; done' 3<<<3 4<<<4 5<<<5 6<<<6 7<<<7 8<<<8 9<<<9`,
  },
  {
    name: 'descriptors 12 and 200',
    script: `"$@" bash -c 'cat <&12; cat <&200' 12<<<twelve 200<<<'two hundred'`,
  },
  {
    name: 'which descriptors there are',
    script: `"$@" bash -c 'cd /proc/self/fd; echo *' 5</dev/null 7>/dev/null 12</dev/null 251>&-`,
  },
  {
    name: 'an offset that is shared',
    script: `{ "$@" sh -c 'read -r a <&4; echo "$a"'; cat <&4; } 4<<<$'one\\ntwo'`,
  },
  { name: 'writing to a descriptor', script: `"$@" sh -c 'echo six >&6' 6>file; cat file` },
  {
    name: 'the job server of make',
    script: `printf 'all: a b\\na b:\\n\\t@echo $@ $(filter -j%%,$(MAKEFLAGS))\\n' >inner.mk
printf 'all:\\n\\t+@%s $(MAKE) -f inner.mk\\n' "$*" >Makefile; make --no-print-directory -j2 2>&1 | sed 's/,[0-9]*//' | sort`,
  },
  ...['-n 512', '-n 4096', '-s 4096', '-u 5000', '-f 100000'].map((limit) => ({
    name: `ulimit ${limit}`,
    script: `ulimit -S ${limit}; "$@" cat /proc/self/limits | sed 's/  */ /g'`,
  })),
  {
    name: 'a limit set just before',
    script: `sh -c 'ulimit -S -n 777; exec "$@" sh -c "ulimit -S -n"' sh "$@"`,
  },
  { name: 'umask', script: `umask 027; "$@" sh -c umask` },
  { name: 'nice', script: `nice -n 7 "$@" nice` },
  {
    name: 'environment: names that a shell does not know',
    script: `env 'a.b=1' 'x-y=2' 'BASH_FUNC_f%%=() { :; }' "$@" sh -c "tr '\\\\0' '\\\\n' </proc/self/environ" | grep -aE '^(a.b|x-y|BASH_FUNC)' | sort`,
  },
  {
    name: 'environment: PWD that is not the name of the directory',
    script: `PWD=/odd "$@" env | grep ^PWD; PWD=/odd "$@" "$@" env | grep ^PWD; mkdir d; ln -s d l; cd l; "$@" env | grep -o '^PWD=.*/h'`,
  },
  {
    name: 'environment: a variable that is held back from Node at its start',
    script: `held() { env "$1" "NODE_EXTRA_CA_CERTS=$2" "\${@:3}" | grep -aE '^(NODE_EX|UNSTUCK_HELD)'; }
held o=1 /no/file "$@" "$@" env; held o.d=2 '' "$@" env; held $'o=\\377' $'/\\377' "$@" env`,
  },
  {
    name: 'environment: nothing but PATH',
    script: `env -i "PATH=$PATH" UNSTUCK_QUIET_ENV=false "UNSTUCK_HOME=$UNSTUCK_HOME" "$@" env | grep -vE '^(_|UNSTUCK_.*)='`,
  },
  {
    name: 'an empty PATH',
    script: `file=$(command -v "$1") && shift && set -- "$file" "$@"; PATH= "$@" /bin/sh -c 'echo "[$PATH]"'`,
  },
  {
    name: 'environment: bytes that are not UTF-8',
    script: `env "BYTES=$(printf 'a\\377\\nb\\300\\n.')" 'SOME=ü' "$@" env -0 | grep -zaE '^(BYTES|SOME)=' | sort -z | od -c`,
  },
  {
    name: 'environment: a name with bytes that are not UTF-8',
    script: `env "N$(printf '\\377')=x$(printf '\\376')" "$@" env -0 | grep -za '^N' | grep -zav '^N[A-Z]' | od -c`,
  },
  {
    name: 'arguments that are not UTF-8',
    script: `"$@" printf '%s|' "$(printf 'a\\377')" 'ü' '' "$(printf '\\300\\n.')" | od -c`,
  },
  { name: 'a pipe on stdin', script: `echo hello | "$@" cat` },
  { name: 'much input through a pipe', script: `seq 300000 | "$@" md5sum` },
  { name: 'input that comes later', script: `{ sleep 0.3; echo hello; } | "$@" cat` },
  { name: 'a here-document on stdin', script: `"$@" cat <<<hello` },
  { name: 'a long here-document on stdin', script: `"$@" wc -c <<<"$(seq 50000)"` },
  { name: 'a file on stdin', script: `echo hello >file; "$@" cat <file` },
  {
    name: 'a file on stdin that is read in turns',
    script: `seq 3 >file; { "$@" sh -c 'read -r a; echo "$a"'; read -r b; echo "$b"; } <file`,
  },
  { name: '/dev/null on stdin', script: `"$@" sh -c 'readlink /proc/self/fd/0; cat' </dev/null` },
  {
    name: 'a socket on stdin',
    script: `${withSocket} "$@" sh -c 'cat; readlink /proc/self/fd/0 | cut -c1-6'`,
  },
  {
    name: 'a FIFO on stdin',
    script: `mkfifo p; echo hello >p & "$@" cat <p; wait`,
  },
  { name: 'a loop that reads a list', script: `seq 3 | while read -r x; do "$@" echo "$x"; done` },
  {
    name: 'a loop whose list the command reads',
    script: `seq 3 | while read -r x; do echo "$x:"; "$@" cat; done`,
  },
  {
    name: 'a command that does not read its input',
    script: `set -o pipefail; yes | "$@" true; echo "code $?"`,
  },
  { name: 'stdin that is closed', script: `"$@" sh -c '[ -e /proc/self/fd/0 ] || echo closed' <&-` },
  {
    name: 'stdout that is closed',
    script: `"$@" sh -c '[ -e /proc/self/fd/1 ] || echo closed >&2; echo x' >&- 2>err; echo "code $?"; grep -o closed err`,
  },
  {
    name: 'stderr that is closed',
    script: `"$@" sh -c '[ -e /proc/self/fd/2 ] || echo closed' 2>&-; echo "code $?"`,
  },
  {
    name: 'a full stdout and a command that writes once',
    script: `"$@" cat /etc/hostname >/dev/full 2>/dev/null; [ $? != 0 ] && echo failed`,
  },
  {
    name: 'a full stdout and a command that goes on writing',
    script: `"$@" sh -c '${endless}; exit 1' >/dev/full 2>/dev/null; [ $? != 0 ] && echo failed`,
  },
  {
    name: 'a reader that goes',
    script: `set -o pipefail; "$@" sh -c '${endless}' | head -1; echo "code $?"`,
  },
  {
    name: 'a reader that never reads',
    script: `mkfifo p; (exec <p) & set -o pipefail; { wait $!; "$@" sh -c 'echo x; sleep 0.3; echo y'; } >p 2>/dev/null; echo "code $?"`,
  },
  {
    name: 'a pipeline',
    script: `"$@" seq 100000 | "$@" cat - <file 2>/dev/null; seq 3 >file; "$@" sort -rn <file | "$@" head -c 100 file`,
  },
  { name: 'a limit on the size of files', script: `(ulimit -f 100; "$@" head -c 1000000 /dev/zero | wc -c)` },
  {
    name: 'a limit on the size of files that is reached later',
    script: `(ulimit -f 20000; "$@" head -c 30000000 /dev/zero 2>/dev/null | wc -c)`,
  },
  {
    name: 'a limit on the size of files, both streams',
    script: `(ulimit -f 100; "$@" sh -c 'head -c 1000000 /dev/zero & head -c 1000000 /dev/zero >&2; wait' 2>&1 | tr -cd '\\0' | wc -c)`,
  },
  {
    name: 'a terminal without a size',
    script: `script -qec "$* stty size" /dev/null </dev/null`,
  },
  {
    name: 'a terminal on which the input has ended before',
    script: `script -qec "$* sh -c 'cat | od -c; exit 6'" /dev/null </dev/null; echo "code $?"`,
  },
  { name: 'an empty command name', script: `"$@" '' 2>err; echo "code $?"` },
  { name: 'a command that does not exist', script: `"$@" no-such-command 2>err; echo "code $?"` },
  { name: 'a file without permission', script: `echo >file; "$@" ./file 2>err; echo "code $?"` },
  { name: 'a directory', script: `mkdir dir; "$@" ./dir 2>err; echo "code $?"` },
  {
    name: 'a bad interpreter',
    script: `printf '#!/no/such/interpreter\\n' >file; chmod +x file; "$@" ./file 2>err; echo "code $?"`,
  },
  {
    name: 'a deleted working directory',
    script: `mkdir dir; cd dir; rmdir ../dir; "$@" sh -c 'echo here' 2>/dev/null; echo "code $?"`,
  },
  { name: 'the same program again', script: `"$@" "$@" sh -c 'echo out; exit 9'; echo "code $?"` },
  {
    name: 'the same program again and a signal',
    script: background(`exit 0`, '')
      .replace('"$@" sh -c \'exit 0\'', `"$@" "$@" sh -c 'trap "echo got; exit 4" USR1; ${idle}'`)
      .replace('\n\n', '\nkill -USR1 $p\n'),
  },
  {
    name: 'the same program again: descriptors and limits',
    script: `ulimit -S -n 600; "$@" "$@" sh -c 'cat <&3; ulimit -S -n' 3<<<three`,
  },
];

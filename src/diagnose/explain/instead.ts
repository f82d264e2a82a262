import type { VerdictKind } from '../../model/verdict.js';
import type { CauseKind } from '../graph/cause.js';

/** A process of a chain: the one that waits first, then those that wait for it. */
export interface NamedProgram {
  name: string;
  /** Its command line. */
  command: string;
}

/** What is known about a process that does not go on by itself. */
export interface Standstill {
  kind: VerdictKind;
  cause: CauseKind;
  /** The process at the end of the chain first. */
  programs: readonly NamedProgram[];
}

interface Row {
  /** The name of a program in the chain. */
  program: RegExp;
  /** Its command line. */
  command?: RegExp;
  /** Only the process that waits, not those that wait for it. */
  itself?: true;
  instead: string;
}

/** Programs that ask, and how to call them so that they do not. The first row that fits counts. */
const asking: readonly Row[] = [
  {
    program: /^git-(remote|credential|askpass)/,
    itself: true,
    instead: 'set GIT_TERMINAL_PROMPT=0, and use a token or an SSH key',
  },
  {
    program: /^git/,
    command: /\bgit\b.*\s(clone|fetch|pull|push|ls-remote|submodule)\b/,
    itself: true,
    instead: 'set GIT_TERMINAL_PROMPT=0, and use a token or an SSH key',
  },
  {
    program: /^git/,
    command: /\s(-p|--patch|-i|--interactive)\b/,
    instead: 'name the files or commits, without -p and -i',
  },
  { program: /^git/, instead: 'GIT_EDITOR=true, and give the message with -m' },
  { program: /^ssh$/, instead: 'ssh -o BatchMode=yes' },
  { program: /^ssh-keygen$/, instead: "ssh-keygen -q -N '' -f FILE, for a FILE that does not exist" },
  { program: /^(less|more|most|man|pager)$/, instead: 'PAGER=cat' },
  { program: /^sudo$/, instead: 'sudo -n' },
  { program: /^(apt|apt-get|dpkg|debconf)/, instead: 'DEBIAN_FRONTEND=noninteractive, and apt-get -y' },
  { program: /^npm/, command: /\bnpm (init|create)\b/, itself: true, instead: 'npm init -y' },
  { program: /^(npm|npx)( |$)/, itself: true, instead: 'npm_config_yes=true, or npx --yes' },
  { program: /^gpg/, instead: 'gpg --batch --pinentry-mode loopback' },
  { program: /^(psql|pg_dump|pg_restore)$/, instead: 'psql -w, with the password in ~/.pgpass' },
  {
    program: /^(mysql|mariadb)/,
    instead: 'put the password into an option file: mysql --defaults-extra-file=FILE',
  },
  { program: /^(vi|vim|nvim|nano|emacs|ed|editor|joe|micro)$/, instead: 'edit the file without an editor' },
  {
    program: /^(python[\d.]*|node|ruby|irb|perl|php|lua|R|ghci|sqlite3|bc)$/,
    command: /^\S+$/,
    itself: true,
    instead: 'give it a program: a file, or -c TEXT or -e TEXT',
  },
  {
    program:
      /^(cat|tac|grep|egrep|sort|uniq|wc|head|tail|sed|awk|gawk|mawk|jq|tr|cut|tee|xargs|base64|sha256sum|md5sum|od|xxd|less)$/,
    itself: true,
    instead: 'name a file: without one it reads its standard input; or add </dev/null',
  },
];

/** What to do instead where no program is known, by the end of the chain. */
const byCause: Partial<Record<CauseKind, string>> = {
  'fifo-partner': 'open the other end of the FIFO first, in the background',
  lingering:
    'redirect the output of what goes on in the background: COMMAND >log 2>&1 &, or unstuck start -- COMMAND',
  listening: 'start it in the background: unstuck start -- COMMAND',
};

const byKind: Partial<Record<VerdictKind, string>> = {
  'needs-input':
    'give the answer on its command line or on its standard input, or use an option such as --yes',
  deadlock: 'do not repeat it unchanged, it would hang again: correct the program, or give it a time limit',
  stopped: 'do not stop it; a job that reads a terminal in the background is stopped: add </dev/null',
};

function fits({ program, command, itself }: Row, programs: readonly NamedProgram[]): boolean {
  const candidates = itself === true ? programs.slice(0, 1) : programs;
  return candidates.some((one) => program.test(one.name) && command?.test(one.command) !== false);
}

/** How to call a program that asks, so that it does not; null: it is not a known one. */
export function preventionFor(programs: readonly NamedProgram[]): string | null {
  return asking.find((row) => fits(row, programs))?.instead ?? null;
}

/** What to do instead of what hangs; null: nothing is known. */
export function insteadOf({ kind, cause, programs }: Standstill): string | null {
  const known = kind === 'needs-input' ? preventionFor(programs) : null;
  return known ?? byCause[cause] ?? byKind[kind] ?? null;
}

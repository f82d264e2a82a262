import { readdirSync, readFileSync } from 'node:fs';

/** Name of the variable that marks every process of a started case. */
export const markName = 'UNSTUCK_TEST_CASE';

/** A pid alone may be used again by a stranger. */
export interface Identity {
  pid: number;
  startTicks: number;
}

export interface Member extends Identity {
  ppid: number;
  comm: string;
  state: string;
  session: number;
  /** A zombie leader with live threads is not dead. */
  isDead: boolean;
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return null;
  }
}

function readMember(pid: number): Member | null {
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === null) return null;
  const end = stat.lastIndexOf(')');
  const fields = stat.slice(end + 2).split(' ');
  return {
    pid,
    comm: stat.slice(stat.indexOf('(') + 1, end),
    state: fields[0] ?? '?',
    ppid: Number(fields[1]),
    session: Number(fields[3]),
    isDead: (fields[0] === 'Z' && Number(fields[17]) <= 1) || fields[0] === 'X',
    startTicks: Number(fields[19]),
  };
}

/** The process that has this pid now; start ticks -1 when there is none. */
export function readIdentity(pid: number): Identity {
  return { pid, startTicks: readMember(pid)?.startTicks ?? -1 };
}

/** All live processes of a case: the root and its session, those marked in the environment, and all below them. */
export function readTree(mark: string, root: Identity): Member[] {
  return treeReader(mark, root)();
}

/**
 * For whoever looks at a case again and again: reads a process that is none of the case only once, and again when it has
 * gone in between. Nearly all processes of a machine are such, and many cases look at once.
 */
export function treeReader(mark: string, root: Identity): () => Member[] {
  let strangers = new Set<string>();
  return () => {
    const names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    const unknown = names.filter((name) => !strangers.has(name));
    const known = unknown
      .map((name) => readMember(Number(name)))
      .filter((member): member is Member => member !== null);
    const { inside, outside } = divide(mark, root, known);
    const now = new Set(outside.map(String));
    for (const name of names) if (strangers.has(name)) now.add(name);
    strangers = now;
    return inside;
  };
}

/** `outside` are those that will not come into the case by themselves. */
function divide(mark: string, root: Identity, known: Member[]): { inside: Member[]; outside: number[] } {
  const inside = new Set<number>();
  const outside: number[] = [];
  const marking = `${markName}=${mark}`;
  const stranger = known.some((member) => member.pid === root.pid && member.startTicks !== root.startTicks);
  for (const { pid, session, startTicks } of known) {
    if (pid === process.pid || startTicks < root.startTicks) {
      outside.push(pid);
      continue;
    }
    const isOfRoot = !stranger && (pid === root.pid || session === root.pid);
    const environment = isOfRoot ? '' : (readText(`/proc/${pid}/environ`) ?? '');
    if (isOfRoot || environment.split('\0').includes(marking)) inside.add(pid);
    // While a program is loaded it has none.
    else if (environment !== '') outside.push(pid);
  }
  for (let before = -1; before !== inside.size; ) {
    before = inside.size;
    for (const { pid, ppid } of known) if (inside.has(ppid)) inside.add(pid);
  }
  return {
    inside: known.filter((member) => inside.has(member.pid)),
    outside: outside.filter((pid) => !inside.has(pid)),
  };
}

export interface ThreadLook {
  pid: number;
  tid: number;
  comm: string;
  state: string;
  syscall: string;
  /** Nanoseconds on the CPU and times scheduled in: the version number of all else. */
  schedstat: string;
}

/** One raw look at every thread of the given processes. A file that may not be read is the text 'denied'. */
export function readThreads(members: Member[]): ThreadLook[] {
  return members.flatMap(({ pid, comm }) => {
    let tids: string[] = [];
    try {
      tids = readdirSync(`/proc/${pid}/task`);
    } catch {
      return [];
    }
    return tids.flatMap((tid) => {
      const dir = `/proc/${pid}/task/${tid}`;
      const stat = readText(`${dir}/stat`);
      if (stat === null) return [];
      const state = stat[stat.lastIndexOf(')') + 2] ?? '?';
      const syscall = (readText(`${dir}/syscall`) ?? 'denied').trim();
      const schedstat = (readText(`${dir}/schedstat`) ?? 'denied').trim();
      return [{ pid, tid: Number(tid), comm, state, syscall, schedstat }];
    });
  });
}

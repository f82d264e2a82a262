import type { Absence, AbsenceReason, Source } from '../../model/facts/absence.js';
import type { Snapshot } from '../../model/facts/snapshot.js';
import type { AbsentFact } from '../../model/verdict.js';

/** The fact that each source provides, and what is lost without it. */
const sources: Record<Source, { fact: string; costs: string }> = {
  stat: { fact: 'threads', costs: 'threads beyond the limit were not read' },
  status: {
    fact: 'signal handlers',
    costs: 'a wait for a signal cannot be distinguished from a wait for nothing',
  },
  schedstat: { fact: 'scheduling counters', costs: 'the two reads cannot be proven to show one moment' },
  sched: { fact: 'time of last CPU use', costs: 'since when is not known' },
  syscall: {
    fact: 'system calls',
    costs: 'waits are inferred from kernel function names; nothing is certain',
  },
  wchan: { fact: 'kernel function names', costs: 'nothing when the calls can be read' },
  io: { fact: 'I/O counters', costs: 'reading and writing of files does not show' },
  fd: { fact: 'open files', costs: 'what it waits on, and which process holds the other end, is not known' },
  fdinfo: { fact: 'details of open files', costs: 'event loops cannot be read' },
  mem: {
    fact: 'memory behind arguments',
    costs: 'lock owners, watched sets, timeouts and paths are not known',
  },
  runtime: {
    fact: 'locks inside the language runtime',
    costs: 'a deadlock of locks that only the runtime knows does not show',
  },
  maps: { fact: 'memory maps', costs: 'the processes that share a lock with it are not known' },
  locks: { fact: 'file locks', costs: 'the holder of a file lock is not known' },
  net: { fact: 'sockets', costs: 'connections cannot be named' },
  'tcp-info': { fact: 'TCP byte counters', costs: 'since when without a byte is not known' },
  'unix-peers': { fact: 'other ends of unix sockets', costs: 'the process at the other end is not known' },
  cgroup: { fact: 'control group', costs: 'a freezer or a quota does not show' },
  environ: { fact: 'run id', costs: 'whether it belongs to a run is not known' },
  children: { fact: 'children', costs: 'parts of the tree may be missing' },
  timers: { fact: 'POSIX timers', costs: 'a timer may be overlooked' },
  terminal: {
    fact: 'terminal settings',
    costs: 'a password prompt cannot be distinguished from another prompt, nor a prompt from a wait for jobs',
  },
  cmdline: { fact: 'command line', costs: 'only the name is shown' },
  holders: { fact: 'open files of other processes', costs: 'a holder of the other end may be overlooked' },
};

const fixes: Record<AbsenceReason, string> = {
  'not-permitted': 'no right to read it: run as its owner or as root',
  hidden: 'it hides this even from its own user: run as root',
  gone: 'it ended meanwhile',
  unsupported: 'this kernel or architecture does not show it',
  withheld: 'withheld on request',
  uncaptured: 'a plain shell there cannot read it',
  limit: 'a limit was reached',
  failed: 'the read failed',
};

function whyOf({ reason, detail }: Absence): string {
  return detail === undefined ? fixes[reason] : `${fixes[reason]} (${detail})`;
}

/** A line per kind of fact, however many processes lack it. */
export function absentFacts(snapshot: Snapshot): AbsentFact[] {
  const groups = new Map<string, Absence[]>();
  for (const absence of snapshot.absent) {
    const key = `${absence.source} ${whyOf(absence)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [absence]);
    else group.push(absence);
  }
  const facts = [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const pids = group.flatMap(({ pid }) => (pid === null ? [] : [pid]));
    const whose =
      pids.length === 0
        ? ''
        : pids.length > 4
          ? ` of ${pids.length} processes`
          : ` of pid ${pids.join(', ')}`;
    const { fact, costs } = sources[first.source];
    return [{ fact: `${fact}${whose}`, why: whyOf(first), costs }];
  });
  const { unreadablePids, restlessPids = [], cut } = snapshot.searched;
  const addOpenFiles = (pids: readonly number[], why: string): void => {
    if (pids.length === 0) return;
    const whose = pids.length > 4 ? `${pids.length} related processes` : `pid ${pids.join(', ')}`;
    facts.push({ fact: `open files of ${whose}`, why, costs: sources.holders.costs });
  };
  addOpenFiles(unreadablePids, fixes['not-permitted']);
  addOpenFiles(restlessPids, 'they are opened and closed all the time');
  if (cut !== null) facts.push({ fact: sources.holders.fact, why: cut, costs: sources.holders.costs });
  return facts;
}
